import type { SendingDomain } from '@posthorn/contract'
import { useLive } from '../../api/use-live.ts'
import { TextLink } from '../../components/text-link.tsx'
import { brokenDomains } from '../../words/broken-domains.ts'
import { Notice } from './notice.tsx'
import { NoticeList } from './notice-list.tsx'
import { newestDomains } from './overview-questions.ts'

const shownMax = 3

/** The sending domains of the account, the newest; undefined until they are known. */
export function useSendingDomains(): readonly SendingDomain[] | undefined {
  const { data, error } = useLive({ ...newestDomains, everyMs: 60_000 })
  // the rest of the page does not depend on them
  return data ?? (error === null ? undefined : [])
}

/** Sending domains whose DNS records are wrong, each with a link to the records. */
export function DomainNotices({ domains }: { domains: readonly SendingDomain[] }) {
  const broken = brokenDomains(domains)
  if (broken.length === 0) return null
  const hidden = broken.length - shownMax
  return (
    <section aria-label="Domains with wrong DNS records" className="space-y-2">
      <NoticeList count={Math.min(broken.length, shownMax)}>
        {broken.slice(0, shownMax).map(({ id, name, headline, detail }) => (
          <Notice
            key={id}
            tone="failed"
            word="Warning"
            headline={headline}
            detail={detail}
            action={
              <TextLink to="/domains/$id" params={{ id }}>
                See the records
                <span className="sr-only">: {name}</span>
              </TextLink>
            }
          />
        ))}
      </NoticeList>
      {hidden > 0 && (
        <p>
          <TextLink to="/domains">{hidden} more domains with wrong records</TextLink>
        </p>
      )}
    </section>
  )
}
