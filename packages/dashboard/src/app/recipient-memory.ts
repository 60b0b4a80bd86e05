/**
 * Recipients that lists are filtered by. They are personal: they stand in no address and in no storage, only here, and
 * an entry of the browser's history bears a number that means nothing once the page is gone.
 */
const recipients = new Map<string, string>()

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** What `keepRecipient` gave. */
    recipientTicket?: string | undefined
  }
}

/** Keeps a recipient for as long as the page lives, and gives a ticket for it. */
export function keepRecipient(recipient: string): string {
  const ticket = `recipient-${recipients.size + 1}`
  recipients.set(ticket, recipient)
  return ticket
}

/** Whose ticket this is; null when it is none, or from before the page was loaded anew. */
export function recipientOf(ticket: string | undefined): string | null {
  return ticket === undefined ? null : (recipients.get(ticket) ?? null)
}
