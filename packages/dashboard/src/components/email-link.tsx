import { isOwnEmailId } from '../format/own-email-id.ts'
import { shortId } from '../format/short-id.ts'
import { TextLink } from './text-link.tsx'

/** A link to an email: its page if this service sent it, otherwise its events. */
export function EmailLink({ emailId }: { emailId: string }) {
  const words = (
    <>
      email <code>{shortId(emailId)}</code>
    </>
  )
  return isOwnEmailId(emailId) ? (
    <TextLink to="/emails/$id" params={{ id: emailId }} title={emailId}>
      {words}
    </TextLink>
  ) : (
    <TextLink to="/events" search={{ email: emailId }} title={emailId}>
      {words}
    </TextLink>
  )
}
