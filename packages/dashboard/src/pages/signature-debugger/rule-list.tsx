import { CheckList } from '../../components/check-list.tsx'
import type { Rule } from './rules/rule.ts'

/** The five rules of a signature, in the order of a receiver's checks. */
export function RuleList({ rules }: { rules: readonly Rule[] }) {
  return (
    <CheckList
      label="Rules"
      items={rules.map(({ number, state, words }) => ({
        state,
        text: (
          <span className={state === 'unknown' ? 'text-ink-3' : undefined}>
            <span className="mr-1.5 text-ink-3">{number}</span>
            {words}
          </span>
        ),
      }))}
    />
  )
}
