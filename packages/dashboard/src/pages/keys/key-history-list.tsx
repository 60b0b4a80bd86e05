import type { SigningKey } from '@posthorn/contract'
import { Time } from '../../components/time.tsx'
import { type KeyChange, keyHistory } from './key-history.ts'
import { secretStart } from './secret-start.ts'
import type { ByWhom } from './use-key-actors.ts'

/** The history of the keys, newest first. */
export function KeyHistoryList({ keys, byWhom }: { keys: readonly SigningKey[]; byWhom: ByWhom }) {
  return (
    <section className="space-y-2">
      <h2>History</h2>
      <ul aria-label="History of the signing keys" className="border-t border-line">
        {keyHistory(keys).map(change => (
          <li
            key={`${change.key.key_id} ${change.kind}`}
            className="flex flex-wrap gap-x-4 gap-y-0.5 border-b border-line py-2"
          >
            <span className="w-36 shrink-0 text-ink-2">
              <Time at={change.at} />
            </span>
            <span className="min-w-0 flex-1 basis-72">
              {sentenceOf(change)}
              <span className="text-ink-2">{whoDid(change, byWhom)}</span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function sentenceOf({ kind, key, replaced }: KeyChange): string {
  const start = secretStart(key)
  switch (kind) {
    case 'made':
      return `${start} created with the endpoint`
    case 'promoted':
      return `${start} became primary${replaced === null ? '' : `, ${secretStart(replaced)} retired and erased`}`
    case 'discarded':
      return `${start} discarded and erased`
  }
}

function whoDid({ kind, key }: KeyChange, byWhom: ByWhom): string {
  const who = kind === 'made' ? '' : byWhom(key, kind === 'promoted' ? 'promoted' : 'retired')
  return who === '' ? '' : ` ·${who}`
}
