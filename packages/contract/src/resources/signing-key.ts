import * as z from 'zod'
import { id } from '../ids.ts'
import { pageOf } from '../page.ts'
import { signatureNames } from '../signature-name.ts'
import { timestamp } from '../timestamp.ts'

/** One secret of an endpoint: the primary signs, staged ones add their signatures, retired ones are history. */
export const signingKey = z
  .object({
    key_id: id('whk'),
    state: z.enum(['staged', 'primary', 'retired']),
    secret_prefix: z.string(),
    created_at: timestamp,
    promoted_at: timestamp.nullable(),
    retired_at: timestamp.nullable(),
    signature_name: z
      .enum(signatureNames)
      .nullable()
      .meta({ description: 'The part of X-Service-Signature that this key signs. Null once retired.' }),
    verified_count: z
      .int()
      .meta({ description: 'How often your receiver reported that it verified with this key. A hint only.' }),
    last_verified_at: timestamp.nullable(),
    recent: z.object({ attempts: z.int(), verified: z.int() }).nullable().meta({
      description:
        'Up to 12 of the latest attempts since the key was created, including tests, and how many of them your receiver verified with it. Null once retired.',
    }),
  })
  .meta({ id: 'SigningKey' })

export const signingKeyPage = pageOf(signingKey).meta({ id: 'SigningKeyPage' })

export const signingKeyStaged = signingKey
  .extend({
    secret: z
      .string()
      .nullable()
      .meta({ description: 'The full secret. Shown once; null in a repeated answer.' }),
  })
  .meta({ id: 'SigningKeyStaged' })

export const signingKeyPromoted = signingKey
  .extend({ warnings: z.array(z.object({ code: z.string(), message: z.string() })).optional() })
  .meta({ id: 'SigningKeyPromoted' })

export type SigningKey = z.infer<typeof signingKey>
export type SigningKeyStaged = z.infer<typeof signingKeyStaged>
export type SigningKeyPromoted = z.infer<typeof signingKeyPromoted>
