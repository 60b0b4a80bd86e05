import { portalScopes } from '@posthorn/contract/plain'
import { SelectField, TextArea, TextField } from '../../components/field.tsx'
import { ScopeChoice } from '../../components/scope-choice.tsx'
import { fieldError } from '../../words/form-errors.ts'
import { portalDurations } from '../../words/portal-link-words.ts'
import type { LinkWishes } from './link-wishes.ts'

export interface PortalLinkOptionsProps {
  readonly wishes: LinkWishes
  readonly error: Error | null
  readonly onChange: (wishes: LinkWishes) => void
}

/** Scopes, duration, the pages that may frame it, and what it is called there. */
export function PortalLinkOptions({ wishes, error, onChange }: PortalLinkOptionsProps) {
  return (
    <details>
      <summary className="w-fit text-link underline underline-offset-2">Options</summary>
      <div className="mt-3 space-y-4 border-l border-line pl-4">
        <ScopeChoice
          offered={portalScopes}
          chosen={wishes.scopes}
          onChange={scopes => onChange({ ...wishes, scopes })}
        />
        <SelectField
          label="Lasts"
          hint="The link, and the session that it opens."
          value={wishes.durationLabel}
          onChange={event => onChange({ ...wishes, durationLabel: event.target.value })}
        >
          {portalDurations.map(({ label }) => (
            <option key={label}>{label}</option>
          ))}
        </SelectField>
        <TextArea
          label="Pages that may frame it"
          hint="Origins, one on each line. None: it opens in a tab of its own only."
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
          hint="Shown in place of “Posthorn”, and whom to ask for a new link."
          autoComplete="off"
          maxLength={200}
          value={wishes.name}
          error={fieldError(error, '/name')}
          onChange={event => onChange({ ...wishes, name: event.target.value })}
        />
        <TextField
          label="Logo"
          hint="An https address of a picture, shown beside the name."
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
