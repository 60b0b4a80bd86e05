/**
 * The Message-ID of an email, without angle brackets: the same for all its recipients, so that answers to it thread,
 * and each time it is handed over.
 *
 * @param emailId as customers see it
 */
export function messageIdOf(emailId: string, fromAddress: string): string {
  return `${emailId}@${fromAddress.slice(fromAddress.lastIndexOf('@') + 1)}`
}
