import type { Ctx } from '../context.ts'
import { accountCode } from '../domain/account-code.ts'
import { newId } from '../new-id.ts'

/** `token`: for return paths and unsubscribe links. `address`: for the HMACs that addresses are looked up by. */
export type MailKeyPurpose = 'token' | 'address'

export interface MailKey {
  readonly accountId: string
  /** The account code. Tokens name the key by it. */
  readonly number: number
  /** 32 random bytes. */
  readonly secret: Uint8Array
}

/** The context for reading and creating keys. */
export type MailKeyContext = Pick<Ctx, 'db' | 'seal' | 'clock' | 'random'>

/** The account's current key, or null if it has none. Keys stay valid when the master key changes. */
export async function findMailKey(
  ctx: Pick<Ctx, 'db' | 'seal'>,
  accountId: string,
  purpose: MailKeyPurpose,
): Promise<MailKey | null> {
  const [row] = await ctx.db.query<MailKeyRow>(
    `select ${columns} from mail_key k where account_id = $1 and purpose = $2 and retired_at is null`,
    [accountId, purpose],
  )
  return row === undefined ? null : open(ctx, row)
}

/** The account's current key. Creates one if there is none. */
export async function currentMailKey(
  ctx: MailKeyContext,
  accountId: string,
  purpose: MailKeyPurpose,
): Promise<MailKey> {
  for (;;) {
    const found = await findMailKey(ctx, accountId, purpose)
    if (found !== null) return found
    const id = newId(ctx)
    const secretSealed = ctx.seal.seal('mail_key', { accountId, keyId: id }, ctx.random.bytes(32))
    // another process may have created a key: read again
    await ctx.db.query(
      `insert into mail_key (account_id, id, purpose, number, secret_sealed) values ($1, $2, $3, $4, $5)
       on conflict do nothing`,
      [accountId, id, purpose, accountCode(accountId), secretSealed],
    )
  }
}

/** A key that tokens are verified with. */
export interface TokenKey extends MailKey {
  /** The account moves, or has moved: another shard must answer. */
  readonly isAway: boolean
}

/**
 * The token keys with this number, also the retired ones; none if no account that still exists has it.
 * @param onlyAccountId leaves out other accounts that are away, because the caller may not report for them
 */
export async function mailKeysByNumber(
  ctx: Pick<Ctx, 'db' | 'seal'>,
  number: number,
  onlyAccountId: string | null = null,
): Promise<TokenKey[]> {
  const rows = await ctx.db.query<MailKeyRow & { is_away: boolean }>(
    `select ${columns}, a.id is null as is_away from mail_key k left join account a on a.id = k.account_id
     where k.number = $1 and k.purpose = 'token' and a.deleted_at is null
       and (a.id is not null or (
         ($2::uuid is null or k.account_id = $2)
         and exists (select from account_move m where m.account_id = k.account_id)
       ))`,
    [number, onlyAccountId],
  )
  return rows.map(row => ({ ...open(ctx, row), isAway: row.is_away }))
}

interface MailKeyRow {
  account_id: string
  id: string
  number: number
  secret_sealed: Uint8Array
}

const columns = 'account_id, k.id, number, secret_sealed'

function open({ seal }: Pick<Ctx, 'seal'>, row: MailKeyRow): MailKey {
  const { account_id: accountId, id, number } = row
  return { accountId, number, secret: seal.open('mail_key', { accountId, keyId: id }, row.secret_sealed) }
}
