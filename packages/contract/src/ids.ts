import * as z from 'zod'
import { type IdPrefix, idPrefixes } from './id-prefix.ts'

/** A TypeID of one kind: prefix, underscore, and a UUIDv7 in 26 characters of base32. */
export function id(prefix: IdPrefix): z.ZodString {
  const pattern = new RegExp(`^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`)
  return z.string().regex(pattern, `must be the id of ${idPrefixes[prefix]}: ${prefix}_ and 26 characters`)
}
