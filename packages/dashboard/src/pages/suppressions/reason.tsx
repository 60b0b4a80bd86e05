import type { Suppression } from '@posthorn/contract'
import { TextLink } from '../../components/text-link.tsx'
import { isOwnEmailId } from '../../format/own-email-id.ts'
import { suppressionReasonWords } from '../../words/suppression-words.ts'

/** Why mail is held back; it leads to the event or the mail that it came of, where there is one. */
export function Reason({ suppression }: { suppression: Suppression }) {
  const { reason, event_id: eventId, email_id: emailId } = suppression
  const words = suppressionReasonWords[reason]
  if (eventId !== null) {
    return (
      <TextLink to="/events/$id" params={{ id: eventId }} title="The event that told of it">
        {words}
      </TextLink>
    )
  }
  if (emailId === null) return words
  return isOwnEmailId(emailId) ? (
    <TextLink to="/emails/$id" params={{ id: emailId }} title="The mail that it came of">
      {words}
    </TextLink>
  ) : (
    <TextLink to="/events" search={{ email: emailId }} title="What became of the mail that it came of">
      {words}
    </TextLink>
  )
}
