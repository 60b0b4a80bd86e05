import type { Suppression } from '@posthorn/contract'
import { useId } from 'react'

type ScopeType = Suppression['scope']['type']

const choices: readonly { type: ScopeType; label: string; hint: string }[] = [
  { type: 'all_mail', label: 'All mail', hint: 'including receipts and password resets' },
  { type: 'all_lists', label: 'All lists', hint: 'mail sent with unsubscribe' },
  { type: 'list', label: 'One list', hint: 'mail sent with unsubscribe for this list' },
]

export interface HeldBackChoiceProps {
  readonly chosen: ScopeType
  readonly onChange: (chosen: ScopeType) => void
}

/** Which mail a suppression stops. */
export function HeldBackChoice({ chosen, onChange }: HeldBackChoiceProps) {
  const name = useId()
  return (
    <fieldset className="space-y-1">
      <legend className="mb-1 font-medium">Suppress</legend>
      {choices.map(({ type, label, hint }) => (
        <label
          key={type}
          className="flex items-start gap-2 pointer-coarse:min-h-11 pointer-coarse:items-center"
        >
          <input
            type="radio"
            name={name}
            value={type}
            checked={type === chosen}
            onChange={() => onChange(type)}
            className="mt-0.5"
          />
          <span>
            {label} <span className="text-ink-2">{hint}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}
