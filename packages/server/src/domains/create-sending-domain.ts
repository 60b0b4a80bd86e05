import type { SendingDomain, SendingDomainCreate } from '@posthorn/contract'
import { recordChange } from '../audit/record-change.ts'
import type { Ctx } from '../context.ts'
import type { Queryable } from '../db/database.ts'
import { asHostName, checkHostName } from '../domain/host-name.ts'
import { AppError } from '../errors.ts'
import { newId } from '../new-id.ts'
import { newDkimKey } from './dkim-key.ts'
import { getSendingDomain } from './get-sending-domain.ts'
import { changedOwnHosts } from './own-hosts.ts'
import { operatorHosts } from './row.ts'

/** Adds a domain with its own key pair and selector. Posthorn signs nothing with it before it finds the DNS record. */
export async function createSendingDomain(
  ctx: Ctx,
  accountId: string,
  input: SendingDomainCreate,
): Promise<SendingDomain> {
  const name = domainName(input.name)
  const none = { returnPathDomain: null, linkHost: null }
  const { returnPathDomain, linkHost } = changedOwnHosts(name, none, input, operatorHosts(ctx.outside))
  const domainId = newId(ctx)
  return await ctx.db.transaction(async tx => {
    await takePlace(tx, accountId, name)
    const { publicKey, privateKeySealed } = await newDkimKey(ctx.seal, { accountId, domainId })
    await tx.query(
      `insert into sending_domain (
         account_id, id, name, selector, private_key_sealed, public_key, return_path_domain, link_host
       ) values ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [accountId, domainId, name, newSelector(ctx), privateKeySealed, publicKey, returnPathDomain, linkHost],
    )
    const domain = await getSendingDomain({ ...ctx, db: tx }, accountId, domainId)
    await recordChange(
      { ...ctx, db: tx },
      { accountId, action: 'domain.created', target: domain.id, before: null, after: domain },
    )
    return domain
  })
}

function domainName(text: string): string {
  const name = asHostName(text)
  const fault = name.includes('.') ? checkHostName(name, false) : 'It has no dot.'
  if (fault === null) return name
  const message = `must be a public domain name, such as mail.example.com. ${fault}`
  throw new AppError('validation_failed', `The name ${message}`, [{ path: '/name', message }])
}

/** Random, so that a record published for another account, or before a deletion, proves nothing. */
function newSelector({ random }: Pick<Ctx, 'random'>): string {
  return `ph${Buffer.from(random.bytes(6)).toString('hex')}`
}

/** A limit, because creating a key takes much CPU time. */
const domainsMax = 100

/** Locks the account's row, so that concurrent requests see each other's domains. */
async function takePlace(tx: Queryable, accountId: string, name: string): Promise<void> {
  const [account] = await tx.query(
    'select id from account where id = $1 and deleted_at is null for no key update',
    [accountId],
  )
  if (account === undefined) throw new AppError('not_found', 'The account was deleted.')
  const [found] = await tx.query<{ count: number; same: number }>(
    `select count(*) as count, count(*) filter (where name = $2) as same from sending_domain where account_id = $1`,
    [accountId, name],
  )
  if ((found?.same ?? 0) > 0) {
    throw new AppError(
      'domain_exists',
      `The account already has the sending domain ${name}. GET /v1/domains shows it.`,
    )
  }
  if ((found?.count ?? 0) >= domainsMax) {
    throw new AppError(
      'domain_limit_reached',
      `An account can have ${domainsMax} sending domains. Delete one first. A domain also signs mail of its subdomains.`,
    )
  }
}
