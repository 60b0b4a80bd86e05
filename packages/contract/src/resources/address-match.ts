import * as z from 'zod'

/** The places that a search by prefix covers. */
const places = ['emails', 'suppressions'] as const

/** A recipient's address that begins with a given text. */
export const addressMatch = z
  .object({
    address: z.string().meta({ description: 'The address in lower case.' }),
    found_in: z.array(z.enum(places)).meta({
      description:
        '`emails`: an email that Posthorn sent has this recipient. `suppressions`: the address has a suppression, in any state.',
    }),
  })
  .meta({ id: 'AddressMatch' })

export const addressMatches = z
  .object({
    data: z.array(addressMatch).meta({ description: 'At most 10 addresses, in alphabetical order.' }),
    has_more: z.boolean().meta({ description: 'Whether more addresses begin with the text.' }),
  })
  .meta({ id: 'AddressMatches' })

export const addressQuery = z.strictObject({
  prefix: z
    .string()
    .regex(/^[^\s\p{Cc}<>]{3,320}$/u, 'must have 3 to 320 characters, without spaces and angle brackets')
    .meta({ description: 'The first characters of the address, at least 3. Case does not matter.' }),
})

export type AddressMatch = z.infer<typeof addressMatch>
export type AddressMatches = z.infer<typeof addressMatches>
export type AddressQuery = z.output<typeof addressQuery>
