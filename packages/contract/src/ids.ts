import * as z from 'zod'

/** The kinds of things that have an id, by the prefix of the id. */
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
} as const

export type IdPrefix = keyof typeof idPrefixes

/** A TypeID of one kind: prefix, underscore, and a UUIDv7 in 26 characters of base32. */
export function id(prefix: IdPrefix): z.ZodString {
  const pattern = new RegExp(`^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`)
  return z.string().regex(pattern, `must be the id of ${idPrefixes[prefix]}: ${prefix}_ and 26 characters`)
}
