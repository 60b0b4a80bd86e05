import type { Email } from '@posthorn/contract'
import { getRouteApi } from '@tanstack/react-router'
import { useLive } from '../../api/use-live.ts'
import { usePageTitle } from '../../app/page-title.ts'
import { PageHeader } from '../../components/page-header.tsx'
import { Problem } from '../../components/problem.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { emailTitle } from '../../words/email-title.ts'
import { emailVerdict } from '../../words/email-verdict.ts'
import { EmailView } from './email-view.tsx'

const route = getRouteApi('/signed-in/emails/$id')

const marks = { delivered: '✓', failed: '↻', pending: '◌', exhausted: '⊗', neutral: '·' } as const

/** The result of one email for each recipient. */
export function EmailPage() {
  const { id } = route.useParams()
  const {
    data: email,
    error,
    refetch,
    dataUpdatedAt,
  } = useLive({
    key: ['emails', id],
    load: async (call, signal) => await call('getEmail', { params: { id }, signal }),
    everyMs: howOften,
  })
  const tone = email === undefined ? 'neutral' : emailVerdict(email).tone
  usePageTitle(email === undefined ? 'Email' : `${marks[tone]} ${emailTitle(email)}`, tone === 'exhausted')
  if (email !== undefined) return <EmailView key={id} email={email} error={error} readAtMs={dataUpdatedAt} />
  return (
    <>
      <PageHeader title="Email" trail={<TextLink to="/emails">Emails</TextLink>} />
      {error === null ? (
        <Skeleton lines={6} />
      ) : (
        <div className="space-y-3">
          <Problem error={error} onRetry={() => void refetch()} />
          {/* another system may use an id of this form and report its outcome */}
          <p>
            <TextLink to="/events" search={{ email: id }}>
              Events of an email with this id
            </TextLink>
          </p>
        </div>
      )}
    </>
  )
}

/** As often as its state can change. */
function howOften(latest: Email | undefined): number {
  if (latest === undefined || latest.states.queued > 0) return 2_000
  return latest.states.handed_over > 0 ? 5_000 : 15_000
}
