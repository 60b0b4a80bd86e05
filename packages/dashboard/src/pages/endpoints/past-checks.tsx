import { CircleCheck, OctagonX, TriangleAlert } from 'lucide-react'
import { Time } from '../../components/time.tsx'
import { checkWords } from '../../words/check-words.ts'
import type { PastCheck } from './use-endpoint-checks.ts'

const marks = {
  delivered: { icon: CircleCheck, look: 'text-delivered', word: 'Good' },
  failed: { icon: TriangleAlert, look: 'text-failed', word: 'Warning' },
  exhausted: { icon: OctagonX, look: 'text-exhausted', word: 'Problem' },
} as const

/** Earlier checks of this visit, which are not stored anywhere. */
export function PastChecks({ past }: { past: readonly PastCheck[] }) {
  return (
    <section aria-label="Earlier checks" className="space-y-1">
      <h2>Earlier checks</h2>
      <p className="text-label text-ink-3">They stay on this page only until you leave or reload it.</p>
      <ul>
        {past.map(({ at, check }) => {
          const { tone, headline } = checkWords(check)
          const { icon: Icon, look, word } = marks[tone]
          return (
            <li key={at} className="flex min-h-(--row-height) items-center gap-3 border-b border-line py-1">
              <Icon size={16} role="img" aria-label={word} className={`shrink-0 ${look}`} />
              <Time at={at} />
              <span>{headline}</span>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
