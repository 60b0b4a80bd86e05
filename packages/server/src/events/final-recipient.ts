/**
 * Where a bounced mail went in the end, by an event's data, when that is another address than the one it was sent to;
 * null otherwise. A person's address that stands beside `to`.
 */
export function finalRecipientOf(data: object): string | null {
  const { bounce } = data as { bounce?: { final_recipient?: string } }
  return bounce?.final_recipient ?? null
}
