/** Whether this type of feedback (RFC 5965) is a recipient's complaint. */
export function isComplaint(feedbackType: string): boolean {
  return feedbackType === 'abuse' || feedbackType === 'opt-out'
}

/**
 * Whether a mail with an original mail in it is a complaint without a feedback report, as the programs of Outlook.com send
 * them. A header field, or in their old form the subject, shows it.
 *
 * @param headers the header of the mail, and that of the original
 */
export function isComplaintWithoutReport(subject: string, headers: readonly string[]): boolean {
  return (
    /^\s*complaint about (?:a )?(?:message|mail|e-?mail)\b/i.test(subject) ||
    headers.some(header => originalRecipient.test(header))
  )
}

const originalRecipient = /^x-hmxmroriginalrecipient\s*:/im
