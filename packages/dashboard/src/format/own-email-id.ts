/** Whether an email's id is one that this service gave; those of other mail systems look like anything. */
export function isOwnEmailId(emailId: string): boolean {
  return /^em_[0-7][0-9a-hjkmnp-tv-z]{25}$/.test(emailId)
}
