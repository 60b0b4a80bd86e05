/** The ways in which mail servers report to Posthorn. */
export const mailSourceKinds = ['postfix', 'exim', 'lines', 'kumomta', 'message', 'imap', 'smtp'] as const

export type MailSourceKind = (typeof mailSourceKinds)[number]
