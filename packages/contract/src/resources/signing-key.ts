import * as z from 'zod'
import { id } from '../ids.ts'
import { pageOf } from '../page.ts'
import { signatureNames } from '../signature-name.ts'
import { timestamp } from '../timestamp.ts'

/** One secret of an endpoint. The primary key signs, staged keys add signatures, and retired keys no longer sign. */
export const signingKey = z
  .object({
    key_id: id('whk'),
    state: z.enum(['staged', 'primary', 'retired']).meta({
      description:
        '`primary`: signs every delivery. `staged`: adds its signature to every delivery. `retired`: no longer signs, and its secret is erased.',
    }),
    secret_prefix: z
      .string()
      .meta({ description: 'The first characters of the secret. They cannot sign or verify.' }),
    created_at: timestamp,
    promoted_at: timestamp.nullable(),
    retired_at: timestamp.nullable(),
    signature_name: z
      .enum(signatureNames)
      .nullable()
      .meta({ description: 'The part of X-Service-Signature that this key signs. Null once retired.' }),
    verified_count: z.int().meta({
      description: 'How often your receiver reported that it verified with this key. Use it only as a hint.',
    }),
    last_verified_at: timestamp.nullable(),
    recent: z.object({ attempts: z.int(), verified: z.int() }).nullable().meta({
      description:
        'The latest attempts since the key was created, at most 12, and how many of them your receiver verified with this key. Test events count. Null once retired.',
    }),
  })
  .meta({ id: 'SigningKey' })

export const signingKeyPage = pageOf(signingKey).meta({ id: 'SigningKeyPage' })

export const signingKeyStaged = signingKey
  .extend({
    secret: z
      .string()
      .nullable()
      .meta({ description: 'The full secret. Shown once. Null in a repeated response.' }),
  })
  .meta({ id: 'SigningKeyStaged' })

export const signingKeyPromoted = signingKey
  .extend({ warnings: z.array(z.object({ code: z.string(), message: z.string() })).optional() })
  .meta({ id: 'SigningKeyPromoted' })

export type SigningKey = z.infer<typeof signingKey>
export type SigningKeyStaged = z.infer<typeof signingKeyStaged>
export type SigningKeyPromoted = z.infer<typeof signingKeyPromoted>
