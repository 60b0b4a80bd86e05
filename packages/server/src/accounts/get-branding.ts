import type { Branding } from '@posthorn/contract'
import type { Ctx } from '../context.ts'
import { readLogoImage } from '../domain/logo-image.ts'
import { accountNotFound } from './account-not-found.ts'

/** How the account appears to recipients. */
export async function getBranding(ctx: Pick<Ctx, 'db'>, accountId: string): Promise<Branding> {
  const [row] = await ctx.db.query<BrandingRow>(
    `select ${brandingColumns} from account where id = $1 and deleted_at is null`,
    [accountId],
  )
  if (row === undefined) throw accountNotFound()
  return toBranding(row)
}

export interface BrandingRow {
  brand_name: string | null
  brand_color: string | null
  brand_logo: Uint8Array | null
}

export const brandingColumns = 'brand_name, brand_color, brand_logo'

export function toBranding({ brand_name, brand_color, brand_logo }: BrandingRow): Branding {
  return { name: brand_name, color: brand_color, logo: brand_logo === null ? null : toLogo(brand_logo) }
}

function toLogo(bytes: Uint8Array): Branding['logo'] {
  const image = readLogoImage(bytes)
  if ('flaw' in image) throw new Error(`the stored logo ${image.flaw}`)
  const { mediaType: media_type, width, height } = image
  return { media_type, width, height, data: Buffer.from(bytes).toString('base64') }
}
