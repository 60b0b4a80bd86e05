import type { Email } from '@posthorn/contract'
import { ButtonLink } from '../../components/button-link.tsx'
import { Crumbs } from '../../components/crumbs.tsx'
import { Id } from '../../components/id.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Problem } from '../../components/problem.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { emailTitle } from '../../words/email-title.ts'
import { EmailFacts } from './email-facts.tsx'
import { EmailRecipients } from './email-recipients.tsx'
import { EmailVerdictPanel } from './email-verdict-panel.tsx'
import { useCauses } from './use-causes.ts'

export interface EmailViewProps {
  readonly email: Email
  /** Why the shown data could not be refreshed. */
  readonly error: Error | null
  readonly readAtMs: number
}

/** One email: its result for each recipient, and its facts. */
export function EmailView({ email, error, readAtMs }: EmailViewProps) {
  const { id, recipients = [] } = email
  const causes = useCauses(id, recipients)
  return (
    <div className="space-y-4">
      <PageHeader
        trail={
          <Crumbs>
            <TextLink to="/emails">Emails</TextLink>
            <Id id={id} what="email id" />
          </Crumbs>
        }
        title={<bdi className="wrap-anywhere">{emailTitle(email)}</bdi>}
        actions={
          <>
            <ButtonLink to="/events" search={{ email: id }}>
              Events
            </ButtonLink>
            <ButtonLink to="/deliveries" search={{ email: id }}>
              Webhook deliveries
            </ButtonLink>
          </>
        }
      />
      {error !== null && <Problem error={error} readAtMs={readAtMs} />}
      <EmailVerdictPanel email={email} causes={causes} />
      <EmailRecipients recipients={recipients} causes={causes} />
      <EmailFacts email={email} />
    </div>
  )
}
