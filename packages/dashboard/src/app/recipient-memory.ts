/**
 * Recipients are personal data, so filters keep them in memory only, out of URLs and storage. An entry in the
 * browser's history holds a number that means nothing after a reload.
 */
const recipients = new Map<string, string>()

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The number from `keepRecipient`. */
    recipientTicket?: string | undefined
  }
}

/** Keeps a recipient until the page is reloaded; returns its number. */
export function keepRecipient(recipient: string): string {
  const ticket = `recipient-${recipients.size + 1}`
  recipients.set(ticket, recipient)
  return ticket
}

/** The recipient of a number; null if the number is unknown or from before a reload. */
export function recipientOf(ticket: string | undefined): string | null {
  return ticket === undefined ? null : (recipients.get(ticket) ?? null)
}
