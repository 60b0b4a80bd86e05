import type { Suppression } from '@posthorn/contract'
import { TextLink } from '../../components/text-link.tsx'
import { isOwnEmailId } from '../../format/own-email-id.ts'
import { suppressionReasonWords } from '../../words/suppression-words.ts'

/** The reason of a suppression, with a link to its event or email if there is one. */
export function Reason({ suppression }: { suppression: Suppression }) {
  const { reason, event_id: eventId, email_id: emailId } = suppression
  const words = suppressionReasonWords[reason]
  if (eventId !== null) {
    return (
      <TextLink to="/events/$id" params={{ id: eventId }} title="The event that caused it">
        {words}
      </TextLink>
    )
  }
  if (emailId === null) return words
  return isOwnEmailId(emailId) ? (
    <TextLink to="/emails/$id" params={{ id: emailId }} title="The email that caused it">
      {words}
    </TextLink>
  ) : (
    <TextLink to="/events" search={{ email: emailId }} title="Events of the email that caused it">
      {words}
    </TextLink>
  )
}
