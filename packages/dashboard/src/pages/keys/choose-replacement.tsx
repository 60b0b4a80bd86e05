import type { SigningKey } from '@posthorn/contract'
import { useId } from 'react'
import { Time } from '../../components/time.tsx'
import { secretStart } from './secret-start.ts'
import type { ByWhom } from './use-key-actors.ts'

export interface ChooseReplacementProps {
  readonly staged: readonly SigningKey[]
  readonly chosen: SigningKey
  readonly byWhom: ByWhom
  readonly onChoose: (key: SigningKey) => void
}

/** The choice between two waiting replacements; the steps below use the chosen one. */
export function ChooseReplacement({ staged, chosen, byWhom, onChoose }: ChooseReplacementProps) {
  const name = useId()
  return (
    <fieldset className="space-y-1">
      <legend className="mb-1 text-ink-2">
        There are already two replacements. To create another, discard one first. Continue with
      </legend>
      {staged.map(key => (
        <label key={key.key_id} className="flex flex-wrap items-center gap-2 pointer-coarse:min-h-11">
          <input
            type="radio"
            name={name}
            checked={key.key_id === chosen.key_id}
            onChange={() => onChoose(key)}
          />
          <code>{secretStart(key)}</code>
          <span className="text-ink-2">
            signs as {key.signature_name}, created <Time at={key.created_at} />
            {byWhom(key, 'staged')}
          </span>
        </label>
      ))}
    </fieldset>
  )
}
