import * as z from 'zod'
import { line } from '../text.ts'

/** The largest logo: large enough for a sharp one, small enough to be part of a page. */
const logoBytesMax = 64 * 1024

const logo = z
  .object({
    media_type: z.enum(['image/png', 'image/jpeg', 'image/webp']),
    width: z.int(),
    height: z.int(),
    data: z.string().meta({ description: 'The file in base64.' }),
  })
  .meta({ description: 'A picture, at most 1,024 pixels wide and high.' })

/** How an account appears to recipients, on the page that its unsubscribe links open. */
export const branding = z
  .object({
    name: z.string().nullable().meta({
      description: 'The name of the sender. If null, the page shows the From name of the email.',
    }),
    color: z.string().nullable().meta({
      description: 'The color of the main button, such as `#1d4ed8`. If null, the button is black or white.',
    }),
    logo: logo.nullable(),
  })
  .meta({ id: 'Branding' })

export const brandingUpdate = z
  .strictObject({
    name: line(100)
      // also not only invisible characters, such as the Hangul filler and the empty Braille pattern
      .regex(/[^\s\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u, 'must not be blank')
      .nullable()
      .optional(),
    color: z
      .string()
      .regex(/^#[0-9a-f]{6}$/i, 'must be a color such as #1d4ed8')
      .transform(text => text.toLowerCase())
      .nullable()
      .optional(),
    logo: z
      .string()
      .max(Math.ceil(logoBytesMax / 3) * 4)
      .regex(/^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/, 'must be base64')
      .nullable()
      .optional()
      .meta({
        description:
          'A PNG, JPEG or WebP file in base64. At most 65,536 bytes, and 1,024 pixels wide and high. It must not be animated. Posthorn does not accept SVG, because SVG can contain scripts.',
      }),
  })
  .meta({ id: 'BrandingUpdate' })

export type Branding = z.infer<typeof branding>
export type BrandingUpdate = z.output<typeof brandingUpdate>
