import type { Email } from '@posthorn/contract'
import { Fragment, type ReactNode } from 'react'
import { CopyButton } from '../../components/copy-button.tsx'
import { Time } from '../../components/time.tsx'

/** The stored facts about an email; its text is not kept. */
export function EmailFacts({ email }: { email: Email }) {
  return (
    <section aria-labelledby="facts" className="space-y-2">
      <h2 id="facts">The email</h2>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] items-baseline gap-x-4 gap-y-1.5">
        {factsOf(email).map(([name, value]) => (
          <Fragment key={name}>
            <dt className="text-ink-3">{name}</dt>
            <dd className="wrap-anywhere">{value}</dd>
          </Fragment>
        ))}
      </dl>
      <p className="text-ink-2">We delete the text once every copy has been handed over or given up.</p>
    </section>
  )
}

function factsOf({ from, message_id: messageId, created_at: at, ...more }: Email): [string, ReactNode][] {
  const { unsubscribe, tags, metadata } = more
  const facts: [string, ReactNode, boolean][] = [
    ['From', <bdi key="from">{from}</bdi>, true],
    ['Accepted', <Time key="at" at={at} withMs />, true],
    [
      'Message-ID',
      <span key="id" className="flex items-center gap-1">
        <code data-copy-source>{messageId}</code>
        <CopyButton text={messageId} what="Message-ID" />
      </span>,
      true,
    ],
    ['Unsubscribe', unsubscribeWords(unsubscribe), true],
    ['Tags', <Pairs key="tags" pairs={tags} />, Object.keys(tags).length > 0],
    ['Metadata', <Pairs key="metadata" pairs={metadata} />, Object.keys(metadata).length > 0],
  ]
  return facts.flatMap(([name, value, isThere]) => (isThere ? [[name, value]] : []))
}

function unsubscribeWords(unsubscribe: Email['unsubscribe']): ReactNode {
  if (unsubscribe === null) return 'not offered; also sent to people who unsubscribed'
  if (unsubscribe.list === null) return 'from all mail sent with unsubscribe'
  return (
    <>
      from the list <bdi>{unsubscribe.list}</bdi>
    </>
  )
}

function Pairs({ pairs }: { pairs: Readonly<Record<string, unknown>> }) {
  return (
    <ul>
      {Object.entries(pairs).map(([name, value]) => (
        <li key={name}>
          <bdi>{name}</bdi>: <bdi>{String(value)}</bdi>
        </li>
      ))}
    </ul>
  )
}
