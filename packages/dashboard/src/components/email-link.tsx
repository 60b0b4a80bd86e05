import { isOwnEmailId } from '../format/own-email-id.ts'
import { shortId } from '../format/short-id.ts'
import { TextLink } from './text-link.tsx'

/** The way to an email: to its page where this service sent it, else to the events about it. */
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
