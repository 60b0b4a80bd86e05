/** What each id prefix stands for. */
export const idPrefixes = {
  acct: 'an account',
  key: 'an API key',
  wh: 'a webhook endpoint',
  whk: 'a signing key',
  em: 'an email',
  evt: 'an event',
  dlv: 'a delivery',
  att: 'an attempt',
  aud: 'an audit log entry',
  rpl: 'a replay',
  era: 'an erasure',
  ses: 'a session',
  pses: 'a portal session',
  sup: 'a suppression',
  dom: 'a sending domain',
  opr: 'an operator’s token',
  src: 'a mail provider that reports outcomes',
} as const

export type IdPrefix = keyof typeof idPrefixes
