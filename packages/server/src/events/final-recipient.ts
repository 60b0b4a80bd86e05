/**
 * The address that failed, by an event's data, if the mail was forwarded to another one than it was sent to; null
 * otherwise. It is a person's address beside `to`.
 */
export function finalRecipientOf(data: object): string | null {
  const { bounce, failure } = data as Partial<Record<'bounce' | 'failure', { final_recipient?: string }>>
  return bounce?.final_recipient ?? failure?.final_recipient ?? null
}
