import * as z from 'zod'
import { mapOf } from './map-of.ts'
import { line } from './text.ts'

/** Header fields that only Posthorn or mail servers may write. */
const reserved =
  /^(?:from|to|cc|bcc|sender|reply-to|subject|date|message-id|return-path|received|mime-version|content-.*|dkim-.*|arc-.*|authentication-results|resent-.*|delivered-to|x-original-to)$/i

const name = z
  .string()
  .max(76)
  .regex(/^[A-Za-z0-9][A-Za-z0-9-]*$/, 'must be a valid header name')
  .refine(text => !reserved.test(text), 'is a header that you cannot set')

/** Extra header fields of an email. */
export const ownHeaders = mapOf(name, line(998))
  .refine(headers => Object.keys(headers).length <= 50, 'must have at most 50 entries')
  .refine(
    headers =>
      new Set(Object.keys(headers).map(key => key.toLowerCase())).size === Object.keys(headers).length,
    'must not have the same name twice',
  )
