import { Plus, X } from 'lucide-react'
import { useRef, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { TextField } from '../../components/field.tsx'

export interface SecretFieldsProps {
  readonly secrets: readonly string[]
  /** The owner of each secret, if its start tells. */
  readonly owners: readonly (string | null)[]
  readonly onChange: (secrets: readonly string[]) => void
}

const secretsMax = 10

/**
 * One secret, or several while a key is being replaced. Not of the type password, so that browsers do not offer to
 * save it.
 */
export function SecretFields({ secrets, owners, onChange }: SecretFieldsProps) {
  const [isShown, setShown] = useState(false)
  const fields = useRef<HTMLFieldSetElement>(null)
  return (
    <fieldset ref={fields} className="space-y-2">
      <legend className="sr-only">Secrets</legend>
      {secrets.map((secret, place) => (
        // fields have no identity but their place
        <div key={place} className="flex items-start gap-2">
          <div className="min-w-0 flex-1">
            <TextField
              label={secrets.length === 1 ? 'Secret' : `Secret ${place + 1}`}
              hint={owners[place] ?? undefined}
              placeholder="whsec_…"
              value={secret}
              mono
              autoComplete="off"
              autoCapitalize="off"
              spellCheck={false}
              data-masked={isShown ? undefined : true}
              onChange={event => onChange(secrets.with(place, event.target.value))}
            />
          </div>
          <div className="pt-6">
            {place === 0 && (
              <Button aria-pressed={isShown} onClick={() => setShown(!isShown)}>
                {isShown ? 'Hide' : 'Show'}
              </Button>
            )}
            {place > 0 && (
              <Button
                kind="quiet"
                aria-label={`Remove secret ${place + 1}`}
                icon={<X size={16} aria-hidden />}
                onClick={() => {
                  onChange(secrets.toSpliced(place, 1))
                  // the button disappears with its field
                  fields.current?.querySelector('input')?.focus()
                }}
              />
            )}
          </div>
        </div>
      ))}
      {secrets.length < secretsMax && (
        <Button
          kind="quiet"
          className="-ml-3"
          icon={<Plus size={16} aria-hidden />}
          onClick={() => onChange([...secrets, ''])}
        >
          Another secret
        </Button>
      )}
    </fieldset>
  )
}
