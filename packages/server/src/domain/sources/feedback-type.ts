/** Of the kinds of feedback (RFC 5965) those with which a recipient says that it wants no such mail. */
export function isComplaint(feedbackType: string): boolean {
  return feedbackType === 'abuse' || feedbackType === 'opt-out'
}
