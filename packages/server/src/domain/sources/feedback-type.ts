/** Whether this type of feedback (RFC 5965) is a recipient's complaint. */
export function isComplaint(feedbackType: string): boolean {
  return feedbackType === 'abuse' || feedbackType === 'opt-out'
}
