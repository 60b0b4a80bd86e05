import type { MailReply } from '@posthorn/contract'
import { visibleText } from '../../format/visible-text.ts'
import { replySource, replyText } from '../../words/email-words.ts'

export interface MailReplyViewProps {
  readonly reply: MailReply
  /** If the reply names no server, it came from our own mail server. */
  readonly isOurs: boolean
}

/** The reply that decided a recipient's state, with the server and the time. */
export function MailReplyView({ reply, isOurs }: MailReplyViewProps) {
  const text = replyText(reply)
  const source = replySource(reply, isOurs)
  return (
    <figure className="border-l-2 border-control bg-sunken px-3 py-2">
      {text !== '' && (
        <blockquote className="font-mono text-code wrap-anywhere whitespace-pre-wrap">
          {visibleText(text)}
        </blockquote>
      )}
      {source !== null && (
        <figcaption className="text-label text-ink-2 wrap-anywhere">Said {visibleText(source)}</figcaption>
      )}
    </figure>
  )
}
