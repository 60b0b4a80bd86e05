/** The mail providers whose webhooks Posthorn accepts at `/v1/sources/<kind>`, with their names. */
export const providerKinds = {
  mailgun: 'Mailgun',
  ses: 'Amazon SES',
  sendgrid: 'SendGrid',
  postmark: 'Postmark',
  postal: 'Postal',
  resend: 'Resend',
} as const

export type ProviderKind = keyof typeof providerKinds
