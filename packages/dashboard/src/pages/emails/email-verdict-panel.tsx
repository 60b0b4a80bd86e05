import type { Email } from '@posthorn/contract'
import { EmailStateBadge } from '../../components/email-state-badge.tsx'
import { Sentences } from '../../components/sentence-text.tsx'
import { Verdict } from '../../components/verdict.tsx'
import { emailVerdict } from '../../words/email-verdict.ts'
import { worstState } from '../../words/email-words.ts'

export interface EmailVerdictPanelProps {
  readonly email: Email
  /** The causes from the events, by event id. */
  readonly causes: ReadonlyMap<string, string>
}

/** The result of an email in a sentence, and what follows. */
export function EmailVerdictPanel({ email, causes }: EmailVerdictPanelProps) {
  const { tone, headline, facts } = emailVerdict(email)
  const [only, ...others] = email.recipients ?? []
  // several recipients each show their own cause
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
        <Sentences sentences={facts} />
      </p>
    </Verdict>
  )
}
