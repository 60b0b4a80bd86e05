import { defaultEventTypes, type WebhookCreate, type WebhookCreated } from '@posthorn/contract'
import { recordChange } from '../audit/record-change.ts'
import type { Ctx } from '../context.ts'
import type { Queryable } from '../db/database.ts'
import { AppError } from '../errors.ts'
import { keysOfFilter } from '../events/filter-keys.ts'
import { newId } from '../new-id.ts'
import { sealClientKey } from '../seal/client-certificate.ts'
import { sealRequestHeaders } from '../seal/request-headers.ts'
import { addSigningKey } from '../signing-keys/add-signing-key.ts'
import { allowedDomains } from './allowed-domains.ts'
import { allowedUrl } from './allowed-url.ts'
import { checkTimings } from './check-timings.ts'
import { getWebhook } from './get-webhook.ts'
import { checkHeaderChanges, mergeHeaders } from './merge-headers.ts'
import { readClientCertificate } from './read-client-certificate.ts'

/** Creates an endpoint with its primary secret. Only this answer contains the secret. */
export async function createWebhook(
  ctx: Ctx,
  accountId: string,
  input: WebhookCreate,
): Promise<WebhookCreated> {
  const url = allowedUrl(ctx, input.url)
  checkHeaderChanges(input.headers ?? {}, ctx.settings.headerPrefix)
  const headers = mergeHeaders(new Map(), input.headers ?? {})
  checkTimings(ctx, input)
  const client = input.client_certificate
    ? readClientCertificate(input.client_certificate, ctx.clock.nowMs())
    : null
  const filter = { tags: input.tags ?? [], sendingDomains: allowedDomains(input.sending_domains ?? []) }
  const { tagKeys, domainKeys } = keysOfFilter(accountId, filter)
  const endpointId = newId(ctx)
  const enabled = input.enabled ?? true

  return await ctx.db.transaction(async tx => {
    await takeSlot(tx, accountId)
    await tx.query(
      `insert into endpoint (account_id, id, url, events, description, status, disabled_reason, header_names,
                             headers_sealed, rate_limit_per_second, standard_webhooks,
                             retry_base_seconds, retry_cap_seconds, attempt_timeout_seconds, client_certificate,
                             client_key_sealed, tags, tag_keys, sending_domains, sending_domain_keys)
       values ($1, $2, $3, $4::event_type[], $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20)`,
      [
        accountId,
        endpointId,
        url,
        input.events ?? defaultEventTypes,
        input.description ?? '',
        enabled ? 'enabled' : 'disabled',
        enabled ? null : 'manual',
        [...headers.keys()],
        sealRequestHeaders(ctx.seal, { accountId, endpointId }, headers),
        input.rate_limit_per_second ?? null,
        input.standard_webhooks ?? false,
        input.retry_base_seconds ?? null,
        input.retry_cap_seconds ?? null,
        input.attempt_timeout_seconds ?? null,
        client?.certificate ?? null,
        client === null ? null : sealClientKey(ctx.seal, { accountId, endpointId }, client.privateKey),
        filter.tags,
        tagKeys,
        filter.sendingDomains,
        domainKeys,
      ],
    )
    const { secret } = await addSigningKey({ ...ctx, db: tx }, accountId, endpointId, 'primary')
    const webhook = await getWebhook({ db: tx }, accountId, endpointId)
    const { id: target } = webhook
    await recordChange(
      { ...ctx, db: tx },
      { accountId, action: 'webhook.created', target, before: null, after: webhook },
    )
    return { ...webhook, secret }
  })
}

/** Locks the account's row, so that concurrent requests see each other's endpoints. */
async function takeSlot(tx: Queryable, accountId: string): Promise<void> {
  const [account] = await tx.query<{ max_endpoints: number }>(
    'select max_endpoints from account where id = $1 and deleted_at is null for no key update',
    [accountId],
  )
  if (account === undefined) throw new AppError('not_found', 'The account was deleted.')
  // a separate statement, because only a statement that starts after the lock sees the latest commits
  const [used] = await tx.query<{ count: number }>(
    "select count(*) as count from endpoint where account_id = $1 and kind = 'events' and deleted_at is null",
    [accountId],
  )
  if (used === undefined || used.count < account.max_endpoints) return
  throw new AppError(
    'endpoint_limit_reached',
    `The plan allows ${account.max_endpoints} webhook endpoints, and the account uses all of them. Delete one, or ask the operator for more.`,
  )
}
