import { useSendingLimits } from '../../api/use-sending-limits.ts'
import { useNowMs } from '../../app/clock.ts'
import { usePreferences } from '../../app/preferences.ts'
import { useSession } from '../../app/session.ts'
import { TextLink } from '../../components/text-link.tsx'
import { sendingStop } from '../../words/sending-words.ts'
import { Notice } from './notice.tsx'

/** Says why the account cannot send emails now, and who can change that; nothing while it can. */
export function SendingNotice() {
  const { data } = useSendingLimits()
  const { portal } = useSession()
  const { zone } = usePreferences()
  const nowMs = useNowMs()
  const stop = data === undefined ? null : sendingStop(data, portal?.name ?? 'the operator', { zone, nowMs })
  if (stop === null) return null
  return (
    <section aria-label="Sending">
      <ul>
        <Notice
          tone={stop.word === 'Suspended' ? 'exhausted' : 'failed'}
          word={stop.word}
          headline={stop.headline}
          detail={stop.detail}
          action={
            data?.suspended_reason === 'bounce_rate' && (
              <TextLink to="/emails" search={{ state: 'bounced' }}>
                See the bounced emails
              </TextLink>
            )
          }
        />
      </ul>
    </section>
  )
}
