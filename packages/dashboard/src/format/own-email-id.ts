/** Whether this service created the email id; other mail systems use any format. */
export function isOwnEmailId(emailId: string): boolean {
  return /^em_[0-7][0-9a-hjkmnp-tv-z]{25}$/.test(emailId)
}
