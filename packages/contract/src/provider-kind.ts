/** The mail providers whose webhooks Posthorn accepts at `/v1/sources/<kind>`, with their names. */
export const providerKinds = {
  mailgun: 'Mailgun',
  ses: 'Amazon SES',
} as const

export type ProviderKind = keyof typeof providerKinds
