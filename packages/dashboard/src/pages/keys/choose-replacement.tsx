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

/** Two replacements wait: the steps below go on with one of them. */
export function ChooseReplacement({ staged, chosen, byWhom, onChoose }: ChooseReplacementProps) {
  const name = useId()
  return (
    <fieldset className="space-y-1">
      <legend className="mb-1 text-ink-2">
        Two replacements are waiting already. Discard one first to make another. Go on with
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
            signs as {key.signature_name}, made <Time at={key.created_at} />
            {byWhom(key, 'staged')}
          </span>
        </label>
      ))}
    </fieldset>
  )
}
