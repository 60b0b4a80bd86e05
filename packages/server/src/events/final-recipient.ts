/** The address that failed after forwarding; null if the email was not forwarded. It is personal data, like `to`. */
export function finalRecipientOf(data: object): string | null {
  const { bounce, failure } = data as Partial<Record<'bounce' | 'failure', { final_recipient?: string }>>
  return bounce?.final_recipient ?? failure?.final_recipient ?? null
}
