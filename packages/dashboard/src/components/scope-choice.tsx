import type { Scope } from '@posthorn/contract'
import { useId } from 'react'
import { scopeWords } from '../words/api-key-words.ts'

export interface ScopeChoiceProps<Choice extends Scope> {
  readonly offered: readonly Choice[]
  readonly chosen: readonly Choice[]
  /** Why the reader cannot choose a scope; null: they can. */
  readonly reasonAgainst?: (scope: Choice) => string | null
  readonly onChange: (chosen: readonly Choice[]) => void
}

/** The scopes of a key or a link, each with an explanation. */
export function ScopeChoice<Choice extends Scope>(props: ScopeChoiceProps<Choice>) {
  const { offered, chosen, reasonAgainst = () => null, onChange } = props
  const id = useId()
  return (
    <fieldset className="space-y-1">
      <legend className="mb-1 font-medium">Scopes</legend>
      {offered.map(scope => {
        const reason = reasonAgainst(scope)
        return (
          <div
            key={scope}
            className="flex items-start gap-2 pointer-coarse:min-h-11 pointer-coarse:items-center"
          >
            <input
              id={`${id}-${scope}`}
              type="checkbox"
              disabled={reason !== null}
              checked={chosen.includes(scope)}
              onChange={event =>
                onChange(event.target.checked ? [...chosen, scope] : chosen.filter(other => other !== scope))
              }
              className="mt-0.5"
            />
            <label htmlFor={`${id}-${scope}`}>
              <code>{scope}</code> <span className="text-ink-2">{scopeWords[scope]}</span>
              {reason !== null && <span className="block text-label text-ink-3">{reason}</span>}
            </label>
          </div>
        )
      })}
    </fieldset>
  )
}
