/**
 * The Message-ID of an email, without angle brackets. It is the same for all recipients and all handovers, so that replies
 * form one thread.
 *
 * @param emailId with its prefix, as customers see it
 */
export function messageIdOf(emailId: string, fromAddress: string): string {
  return `${emailId}@${fromAddress.slice(fromAddress.lastIndexOf('@') + 1)}`
}
