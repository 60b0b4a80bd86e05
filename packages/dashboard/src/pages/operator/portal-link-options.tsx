import { portalScopes } from '@posthorn/contract/plain'
import { SelectField, TextArea, TextField } from '../../components/field.tsx'
import { ScopeChoice } from '../../components/scope-choice.tsx'
import { fieldError } from '../../words/form-errors.ts'
import { lifetimesBy } from '../../words/key-lifetimes.ts'
import { managesKeys } from '../../words/own-keys.ts'
import { portalDurations } from '../../words/portal-link-words.ts'
import { type LinkWishes, withSession } from './link-wishes.ts'

export interface PortalLinkOptionsProps {
  readonly wishes: LinkWishes
  readonly error: Error | null
  readonly onChange: (wishes: LinkWishes) => void
}

/** The scopes, duration, embedding origins and name of a link. */
export function PortalLinkOptions({ wishes, error, onChange }: PortalLinkOptionsProps) {
  return (
    <details>
      <summary className="w-fit text-link">Options</summary>
      <div className="mt-3 space-y-4 border-l border-line pl-4">
        <ScopeChoice
          offered={portalScopes}
          chosen={wishes.scopes}
          onChange={scopes => onChange({ ...wishes, scopes })}
        />
        {managesKeys(wishes.scopes) && (
          <SelectField
            label="Keys that they create expire"
            hint="A key that outlasts the session keeps working when you revoke the link."
            value={wishes.keyLifetime}
            onChange={event => onChange({ ...wishes, keyLifetime: event.target.value })}
          >
            {[withSession, ...lifetimesBy(null, 0).map(({ label }) => label)].map(label => (
              <option key={label}>{label}</option>
            ))}
          </SelectField>
        )}
        <SelectField
          label="Duration"
          hint="Applies to the link and to its session."
          value={wishes.durationLabel}
          onChange={event => onChange({ ...wishes, durationLabel: event.target.value })}
        >
          {portalDurations.map(({ label }) => (
            <option key={label}>{label}</option>
          ))}
        </SelectField>
        <TextArea
          label="Origins that can embed it"
          hint="One origin per line. Leave it empty if the link only opens in its own tab."
          mono
          rows={2}
          spellCheck={false}
          placeholder="https://app.example.com"
          value={wishes.origins}
          error={fieldError(error, '/allowed_origins')}
          onChange={event => onChange({ ...wishes, origins: event.target.value })}
        />
        <TextField
          label="Name"
          hint="Replaces “Posthorn”. When the link ends, customers read that they should ask this name for a new one."
          autoComplete="off"
          maxLength={200}
          value={wishes.name}
          error={fieldError(error, '/name')}
          onChange={event => onChange({ ...wishes, name: event.target.value })}
        />
        <TextField
          label="Logo"
          hint="An https URL of an image, shown beside the name."
          type="url"
          mono
          autoComplete="off"
          value={wishes.logoUrl}
          error={fieldError(error, '/logo_url')}
          onChange={event => onChange({ ...wishes, logoUrl: event.target.value })}
        />
      </div>
    </details>
  )
}
