import type { WebhookHealth } from '@posthorn/contract'
import { useNowMs } from '../../app/clock.ts'
import { usePreferences } from '../../app/preferences.ts'
import { useMayChange } from '../../app/session.ts'
import { ButtonLink } from '../../components/button-link.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { useReturn } from '../../outages/use-return.ts'
import { backWords } from '../../words/health-words.ts'
import { Notice } from './notice.tsx'

/** Says that an endpoint works again, and offers to send its failed deliveries now. */
export function BackNotice({ name, health }: { name: string; health: WebhookHealth }) {
  const { zone } = usePreferences()
  const nowMs = useNowMs()
  const mayChange = useMayChange()
  const { webhook_id: id } = health
  const returned = useReturn(id, health)
  if (returned === null) return null
  const { headline, detail } = backWords(returned.back, name, { zone, nowMs })
  return (
    <Notice
      tone="delivered"
      word="Back"
      headline={headline}
      detail={detail ?? ''}
      action={
        mayChange ? (
          <ButtonLink to="/endpoints/$id/replays" params={{ id }} search={returned.window}>
            Send them now
          </ButtonLink>
        ) : (
          <TextLink to="/endpoints/$id" params={{ id }}>
            Open
          </TextLink>
        )
      }
    />
  )
}
