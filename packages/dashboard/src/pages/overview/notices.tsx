import { useNowMs } from '../../app/clock.ts'
import { usePreferences } from '../../app/preferences.ts'
import { TextLink } from '../../components/text-link.tsx'
import { isBack } from '../../words/is-back.ts'
import { endpointNotice } from '../../words/notice-words.ts'
import { endpointName } from '../../words/endpoint-name.ts'
import type { ListedEndpoint } from '../endpoints/listed-endpoint.ts'
import { BackNotice } from './back-notice.tsx'
import { Notice } from './notice.tsx'
import { NoticeList } from './notice-list.tsx'

const shownMax = 6

/** Warnings about endpoints, the worst first: disabled or failing, recovered, and certificates that expire soon. */
export function Notices({ endpoints }: { endpoints: readonly ListedEndpoint[] }) {
  const { zone } = usePreferences()
  const nowMs = useNowMs()
  const notices = endpoints.flatMap(({ webhook, health }) => {
    const notice = endpointNotice(health, endpointName(webhook), { zone, nowMs })
    return [
      ...(notice === null ? [] : [{ key: webhook.id, webhook, health, notice }]),
      ...(isBack(health) ? [{ key: `${webhook.id} back`, webhook, health, notice: null }] : []),
    ]
  })
  if (notices.length === 0) return null
  const hidden = notices.length - shownMax
  return (
    <section aria-label="What needs attention" className="space-y-2">
      <NoticeList count={Math.min(notices.length, shownMax)}>
        {notices.slice(0, shownMax).map(({ key, webhook, health, notice }) =>
          notice === null ? (
            <BackNotice key={key} name={endpointName(webhook)} health={health} />
          ) : (
            <Notice
              key={key}
              {...notice}
              action={
                <TextLink to="/endpoints/$id" params={{ id: webhook.id }}>
                  {notice.step}
                  <span className="sr-only">: {endpointName(webhook)}</span>
                </TextLink>
              }
            />
          ),
        )}
      </NoticeList>
      {hidden > 0 && (
        <p>
          <TextLink to="/endpoints">{hidden} more endpoints need attention</TextLink>
        </p>
      )}
    </section>
  )
}
