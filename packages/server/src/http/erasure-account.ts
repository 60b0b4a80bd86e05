import { getAccount } from '../accounts/get-account.ts'
import type { Ctx } from '../context.ts'
import { parseTypeId, typeId } from '../domain/type-id.ts'
import { AppError } from '../errors.ts'
import { validationFailed } from './field-errors.ts'

/** The account of an erasure: the account of the key, or the one that the operator names. */
export async function erasureAccount(
  ctx: Ctx,
  accountId: string | null,
  named: string | undefined,
): Promise<string> {
  if (accountId !== null) {
    if (named === undefined || named === typeId('acct', accountId)) return accountId
    throw new AppError('account_mismatch', 'An API key can erase only in its own account. Omit account_id.')
  }
  const uuid = named === undefined ? null : parseTypeId('acct', named)
  if (uuid === null)
    throw validationFailed([{ path: '/account_id', message: 'is required for the operator' }])
  try {
    await getAccount(ctx, uuid)
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'not_found') throw error
    throw validationFailed([{ path: '/account_id', message: 'names an account that does not exist' }])
  }
  return uuid
}
