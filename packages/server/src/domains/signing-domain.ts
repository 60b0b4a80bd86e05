import type { Ctx } from '../context.ts'
import { openDkimKey } from './dkim-key.ts'

/** The key that signs mail of a domain, and the names that its mail uses. */
export interface SigningDomain {
  /** The value of `d=` in the signature. */
  readonly domainName: string
  readonly selector: string
  readonly privateKeyPem: string
  /** The domain's own return path, if its record is verified. */
  readonly returnPathDomain: string | null
  /** The domain's own host for links, if its record is verified. */
  readonly linkHost: string | null
}

/**
 * The key that signs mail from a domain: its own, or that of the closest parent domain, which DMARC accepts too. Null if
 * none is verified, because receivers could not check the signature.
 *
 * @param fromDomain the domain of the From address, in lower case and as A-labels
 * @throws SealError if the key cannot be decrypted
 */
export async function dkimKeyFor(
  ctx: Pick<Ctx, 'db' | 'seal'>,
  accountId: string,
  fromDomain: string,
): Promise<SigningDomain | null> {
  const labels = fromDomain.split('.')
  const [row] = await ctx.db.query<SigningRow>(
    `select id, name, selector, private_key_sealed as sealed,
       case when return_path_verified_at is not null then return_path_domain end as return_path_domain,
       case when link_host_verified_at is not null then link_host end as link_host
     from sending_domain
     where account_id = $1 and name = any($2::text[]) and verified_at is not null
     order by length(name) desc limit 1`,
    [accountId, labels.map((_, index) => labels.slice(index).join('.'))],
  )
  if (row === undefined) return null
  const { id: domainId, name: domainName, selector, sealed } = row
  return {
    domainName,
    selector,
    privateKeyPem: openDkimKey(ctx.seal, { accountId, domainId }, sealed),
    returnPathDomain: row.return_path_domain,
    linkHost: row.link_host,
  }
}

interface SigningRow {
  id: string
  name: string
  selector: string
  sealed: Uint8Array
  return_path_domain: string | null
  link_host: string | null
}
