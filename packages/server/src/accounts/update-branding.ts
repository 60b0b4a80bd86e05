import type { Branding, BrandingUpdate } from '@posthorn/contract'
import { recordChange } from '../audit/record-change.ts'
import type { Ctx } from '../context.ts'
import type { Queryable } from '../db/database.ts'
import { readLogoImage } from '../domain/logo-image.ts'
import { AppError } from '../errors.ts'
import { accountNotFound } from './account-not-found.ts'
import { type BrandingRow, brandingColumns, toBranding } from './get-branding.ts'

/**
 * Changes the given fields of the branding. Null removes a value.
 * @throws AppError `validation_failed` if the logo is not a small picture
 */
export async function updateBranding(ctx: Ctx, accountId: string, input: BrandingUpdate): Promise<Branding> {
  const logo = typeof input.logo === 'string' ? readLogo(input.logo) : input.logo
  return await ctx.db.transaction(async tx => {
    const before = await lockBranding(tx, accountId)
    const after = {
      brand_name: input.name === undefined ? before.brand_name : input.name,
      brand_color: input.color === undefined ? before.brand_color : input.color,
      brand_logo: logo === undefined ? before.brand_logo : logo,
    }
    await tx.query('update account set brand_name = $2, brand_color = $3, brand_logo = $4 where id = $1', [
      accountId,
      after.brand_name,
      after.brand_color,
      after.brand_logo,
    ])
    await recordChange(
      { ...ctx, db: tx },
      {
        accountId,
        action: 'branding.updated',
        target: 'branding',
        before: withoutBytes(toBranding(before)),
        after: withoutBytes(toBranding(after)),
      },
    )
    return toBranding(after)
  })
}

function readLogo(base64: string): Buffer {
  const bytes = Buffer.from(base64, 'base64')
  const image = readLogoImage(bytes)
  if (!('flaw' in image)) return bytes
  throw new AppError('validation_failed', `/logo: ${image.flaw}.`, [{ path: '/logo', message: image.flaw }])
}

async function lockBranding(tx: Queryable, accountId: string): Promise<BrandingRow> {
  const [row] = await tx.query<BrandingRow>(
    `select ${brandingColumns} from account where id = $1 and deleted_at is null for no key update`,
    [accountId],
  )
  if (row === undefined) throw accountNotFound()
  return row
}

/** For the audit log: whether there was a logo, but not the file. */
function withoutBytes({ logo, ...rest }: Branding): object {
  if (logo === null) return { ...rest, logo }
  const { data: _, ...described } = logo
  return { ...rest, logo: described }
}
