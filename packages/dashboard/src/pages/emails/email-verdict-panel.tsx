import type { Email } from '@posthorn/contract'
import { EmailStateBadge } from '../../components/email-state-badge.tsx'
import { SentenceText } from '../../components/sentence-text.tsx'
import { Verdict } from '../../components/verdict.tsx'
import { emailVerdict } from '../../words/email-verdict.ts'
import { worstState } from '../../words/email-words.ts'

export interface EmailVerdictPanelProps {
  readonly email: Email
  /** What events say of the cause, by their ids. */
  readonly causes: ReadonlyMap<string, string>
}

/** What became of an email, in a sentence, and what follows from it. */
export function EmailVerdictPanel({ email, causes }: EmailVerdictPanelProps) {
  const { tone, headline, facts } = emailVerdict(email)
  const [only, ...others] = email.recipients ?? []
  // of several recipients each tells its own cause
  const why = others.length === 0 ? causes.get(only?.event_id ?? '') : undefined
  return (
    <Verdict
      tone={tone}
      headline={
        <>
          <EmailStateBadge {...worstState(email.states)} /> {headline}
        </>
      }
    >
      <p>
        {why !== undefined && `${why} `}
        {facts.map((fact, place) => (
          // the sentences are made anew as a whole
          <span key={place}>
            <SentenceText sentence={fact} />{' '}
          </span>
        ))}
      </p>
    </Verdict>
  )
}
