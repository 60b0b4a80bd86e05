import { CircleCheck, CircleDashed, OctagonX } from 'lucide-react'
import { Verdict } from '../../components/verdict.tsx'
import type { Rule } from './rules/rule.ts'

/** The answer in one line: verified, or the first broken rule. */
export function DebuggerVerdict({ rules, isSent }: { rules: readonly Rule[]; isSent: boolean }) {
  const broken = rules.filter(rule => rule.state === 'bad')
  const missing = rules.some(rule => rule.state === 'unknown')
  if (broken.length > 0) {
    const numbers = broken.map(rule => rule.number).join(' and ')
    return (
      <Verdict
        tone="exhausted"
        headline={
          <Headline icon={<OctagonX size={18} aria-hidden className="text-exhausted" />}>
            {broken.length === 1 ? `Rule ${numbers} is broken.` : `Rules ${numbers} are broken.`}{' '}
            {broken.some(rule => rule.number === 3)
              ? 'Our library does not start with this secret.'
              : 'A receiver answers 401.'}
          </Headline>
        }
      />
    )
  }
  if (missing) {
    return (
      <Verdict
        tone="neutral"
        headline={
          <Headline icon={<CircleDashed size={18} aria-hidden className="text-ink-3" />}>
            {isSent
              ? 'Now paste the secret that your server uses.'
              : 'Paste the header, the secret and the body.'}
          </Headline>
        }
      />
    )
  }
  return (
    <Verdict
      tone="delivered"
      headline={
        <Headline icon={<CircleCheck size={18} aria-hidden className="text-delivered" />}>
          Verified. A receiver with this secret accepts it.
        </Headline>
      }
    >
      {isSent && (
        <p>
          The secret and the bytes are correct. If your server refuses the request, it verifies other bytes or
          uses another secret. Paste the body as your server logged it.
        </p>
      )}
    </Verdict>
  )
}

function Headline({ icon, children }: { icon: React.ReactNode; children: React.ReactNode }) {
  return (
    <span className="flex items-start gap-2">
      <span className="mt-0.5 shrink-0">{icon}</span>
      <span>{children}</span>
    </span>
  )
}
