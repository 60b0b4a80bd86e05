import { createAccount } from '../accounts/create-account.ts'
import { deleteAccount } from '../accounts/delete-account.ts'
import { getAccount } from '../accounts/get-account.ts'
import { getBranding } from '../accounts/get-branding.ts'
import { getSendingLimits } from '../accounts/get-sending-limits.ts'
import { listAccounts } from '../accounts/list-accounts.ts'
import { updateAccount } from '../accounts/update-account.ts'
import { updateBranding } from '../accounts/update-branding.ts'
import { createApiKey } from '../api-keys/create-api-key.ts'
import { createOwnApiKey } from '../api-keys/create-own-api-key.ts'
import { listApiKeys } from '../api-keys/list-api-keys.ts'
import { revokeApiKey } from '../api-keys/revoke-api-key.ts'
import { revokeOwnApiKey } from '../api-keys/revoke-own-api-key.ts'
import { listAuditLog } from '../audit/list-audit-log.ts'
import { getDelivery } from '../deliveries/get-delivery.ts'
import { listDeliveries } from '../deliveries/list-deliveries.ts'
import { retryDelivery } from '../deliveries/retry-delivery.ts'
import { searchDeliveries } from '../deliveries/search-deliveries.ts'
import { normalEmailAddress } from '../domain/email-address.ts'
import { parseTypeId } from '../domain/type-id.ts'
import { createErasure } from '../erasures/create-erasure.ts'
import { getErasure } from '../erasures/get-erasure.ts'
import { createEmail } from '../emails/create-email.ts'
import { getEmail } from '../emails/get-email.ts'
import { findAddresses } from '../emails/find-addresses.ts'
import { listEmails } from '../emails/list-emails.ts'
import { getEvent } from '../events/get-event.ts'
import { listEvents } from '../events/list-events.ts'
import { getWebhookHealth } from '../health/get-webhook-health.ts'
import { listWebhookHealth } from '../health/list-webhook-health.ts'
import { deleteNoticeEmail } from '../notices/delete-notice-email.ts'
import { deleteNoticeWebhook } from '../notices/delete-notice-webhook.ts'
import { getNoticeEmail } from '../notices/get-notice-email.ts'
import { getNoticeWebhook } from '../notices/get-notice-webhook.ts'
import { putNoticeEmail } from '../notices/put-notice-email.ts'
import { putNoticeWebhook } from '../notices/put-notice-webhook.ts'
import { createOperator } from '../operators/create-operator.ts'
import { listOperators } from '../operators/list-operators.ts'
import { removeOperator } from '../operators/remove-operator.ts'
import { createProviderSource } from '../providers/create-provider-source.ts'
import { deleteProviderSource } from '../providers/delete-provider-source.ts'
import { listProviderSources } from '../providers/list-provider-sources.ts'
import { cancelReplay } from '../replays/cancel-replay.ts'
import { createReplay } from '../replays/create-replay.ts'
import { getReplay } from '../replays/get-replay.ts'
import { listAllReplays } from '../replays/list-all-replays.ts'
import { listReplays } from '../replays/list-replays.ts'
import { createPortalSession } from '../sessions/create-portal-session.ts'
import { listPortalSessions } from '../sessions/list-portal-sessions.ts'
import { revokePortalSession } from '../sessions/revoke-portal-session.ts'
import { listSigningKeys } from '../signing-keys/list-signing-keys.ts'
import { promoteSigningKey } from '../signing-keys/promote-signing-key.ts'
import { retireSigningKey } from '../signing-keys/retire-signing-key.ts'
import { stageSigningKey } from '../signing-keys/stage-signing-key.ts'
import { getStats } from '../stats/get-stats.ts'
import { countSuppressions } from '../suppressions/count-suppressions.ts'
import { createSuppression } from '../suppressions/create-suppression.ts'
import { liftSuppression } from '../suppressions/lift-suppression.ts'
import { listSuppressions } from '../suppressions/list-suppressions.ts'
import { confirmClock } from '../system/confirm-clock.ts'
import { checkUrl } from '../webhooks/check-url.ts'
import { checkWebhook } from '../webhooks/check-webhook.ts'
import { createWebhook } from '../webhooks/create-webhook.ts'
import { deleteWebhook } from '../webhooks/delete-webhook.ts'
import { getWebhook } from '../webhooks/get-webhook.ts'
import { listWebhooks } from '../webhooks/list-webhooks.ts'
import { permitLoopback } from '../webhooks/permit-loopback.ts'
import { sendTestEvent } from '../webhooks/send-test-event.ts'
import { updateWebhook } from '../webhooks/update-webhook.ts'
import { erasureAccount } from './erasure-account.ts'
import { refuseShard } from './refuse-shard.ts'
import { checkSendingDomain } from '../domains/check-sending-domain.ts'
import { createSendingDomain } from '../domains/create-sending-domain.ts'
import { deleteSendingDomain } from '../domains/delete-sending-domain.ts'
import { getSendingDomain } from '../domains/get-sending-domain.ts'
import { listSendingDomains } from '../domains/list-sending-domains.ts'
import { updateSendingDomain } from '../domains/update-sending-domain.ts'
import { listEventTypes } from './list-event-types.ts'
import type { Operations } from './operation.ts'

/** The verb that implements each operation. */
export const operations: Operations = {
  createAccount: { run: (ctx, { body }) => createAccount(ctx, body) },
  listAccounts: { run: (ctx, { query }) => listAccounts(ctx, query) },
  getAccount: { run: (ctx, { params }) => getAccount(ctx, params.id) },
  updateAccount: { run: (ctx, { params, body }) => updateAccount(ctx, params.id, body) },
  deleteAccount: { run: (ctx, { params }) => deleteAccount(ctx, params.id), gracePeriod: true },

  createApiKey: { run: (ctx, { params, body }) => createApiKey(ctx, params.id, body) },
  listApiKeys: { run: (ctx, { params, query }) => listApiKeys(ctx, params.id, query) },
  listOwnApiKeys: { run: (ctx, { accountId, query }) => listApiKeys(ctx, accountId, query) },
  createOwnApiKey: { run: (ctx, { accountId, body }) => createOwnApiKey(ctx, accountId, body) },
  revokeOwnApiKey: {
    run: (ctx, { accountId, params }) => revokeOwnApiKey(ctx, accountId, params.id),
    gracePeriod: true,
  },
  revokeApiKey: { run: (ctx, { params }) => revokeApiKey(ctx, params.id, params.key_id), gracePeriod: true },

  createOperator: { run: (ctx, { body }) => createOperator(ctx, body) },
  listOperators: { run: (ctx, { query }) => listOperators(ctx, query) },
  removeOperator: { run: (ctx, { params }) => removeOperator(ctx, params.id), gracePeriod: true },

  createProviderSource: { run: (ctx, { params, body }) => createProviderSource(ctx, params.id, body) },
  listProviderSources: { run: (ctx, { params, query }) => listProviderSources(ctx, params.id, query) },
  deleteProviderSource: { run: (ctx, { params }) => deleteProviderSource(ctx, params.id, params.source_id) },

  createWebhook: { run: (ctx, { accountId, body }) => createWebhook(ctx, accountId, body) },
  listWebhooks: { run: (ctx, { accountId, query }) => listWebhooks(ctx, accountId, query) },
  getWebhook: { run: (ctx, { accountId, params }) => getWebhook(ctx, accountId, params.id) },
  updateWebhook: {
    run: (ctx, { accountId, params, body }) => updateWebhook(ctx, accountId, params.id, body),
    gracePeriod: true,
  },
  permitLoopback: {
    run: (ctx, { params, body }) => permitLoopback(ctx, params.id, params.webhook_id, body),
    gracePeriod: true,
  },
  deleteWebhook: {
    run: (ctx, { accountId, params }) => deleteWebhook(ctx, accountId, params.id),
    gracePeriod: true,
  },

  getWebhookHealth: { run: (ctx, { accountId, params }) => getWebhookHealth(ctx, accountId, params.id) },
  listWebhookHealth: { run: (ctx, { accountId, query }) => listWebhookHealth(ctx, accountId, query) },

  getBranding: { run: (ctx, { accountId }) => getBranding(ctx, accountId) },
  updateBranding: { run: (ctx, { accountId, body }) => updateBranding(ctx, accountId, body) },

  getNoticeWebhook: { run: (ctx, { accountId }) => getNoticeWebhook(ctx, accountId) },
  putNoticeWebhook: {
    run: (ctx, { accountId, body }) => putNoticeWebhook(ctx, accountId, body),
    gracePeriod: true,
  },
  deleteNoticeWebhook: {
    run: (ctx, { accountId }) => deleteNoticeWebhook(ctx, accountId),
    gracePeriod: true,
  },
  getNoticeEmail: { run: (ctx, { accountId }) => getNoticeEmail(ctx, accountId) },
  putNoticeEmail: { run: (ctx, { accountId, body }) => putNoticeEmail(ctx, accountId, body) },
  deleteNoticeEmail: { run: (ctx, { accountId }) => deleteNoticeEmail(ctx, accountId) },

  getStats: { run: (ctx, { accountId, query }) => getStats(ctx, accountId, query) },
  confirmClock: {
    run: async (ctx, { query }) => {
      refuseShard(query)
      return await confirmClock(ctx)
    },
  },
  listAuditLog: { run: (ctx, { accountId, query }) => listAuditLog(ctx, accountId, query) },

  listSigningKeys: {
    run: (ctx, { accountId, params, query }) => listSigningKeys(ctx, accountId, params.id, query),
  },
  stageSigningKey: { run: (ctx, { accountId, params }) => stageSigningKey(ctx, accountId, params.id) },
  promoteSigningKey: {
    run: (ctx, { accountId, params }) => promoteSigningKey(ctx, accountId, params.id, params.key_id),
    gracePeriod: true,
  },
  retireSigningKey: {
    run: (ctx, { accountId, params }) => retireSigningKey(ctx, accountId, params.id, params.key_id),
    gracePeriod: true,
  },

  createEmail: {
    run: (ctx, { accountId, body, traceparent }) => createEmail(ctx, accountId, body, traceparent),
  },
  findAddresses: { run: (ctx, { accountId, query }) => findAddresses(ctx, accountId, query.prefix) },
  getSendingLimits: { run: (ctx, { accountId }) => getSendingLimits(ctx, accountId) },
  listEmails: {
    run: (ctx, { accountId, query: { recipient, ...query } }) =>
      listEmails(ctx, accountId, {
        ...query,
        // the form in which envelopes have it
        ...(recipient !== undefined && { recipient: normalEmailAddress(recipient) }),
      }),
  },
  getEmail: { run: (ctx, { accountId, params }) => getEmail(ctx, accountId, params.id) },

  listEvents: {
    run: (ctx, { accountId, query: { recipient, ...query } }) =>
      listEvents(ctx, accountId, {
        ...query,
        // the form in which events have it
        ...(recipient !== undefined && { recipient: normalEmailAddress(recipient) }),
      }),
  },
  getEvent: { run: (ctx, { accountId, params }) => getEvent(ctx, accountId, params.id) },
  listEventTypes: { run: async (_ctx, { query }) => await Promise.resolve(listEventTypes(query)) },

  listDeliveries: {
    run: (ctx, { accountId, params, query }) => listDeliveries(ctx, accountId, params.id, query),
  },
  searchDeliveries: {
    run: (ctx, { accountId, query: { recipient, ...query } }) =>
      searchDeliveries(ctx, accountId, {
        ...query,
        // the form in which events have it
        ...(recipient !== undefined && { recipient: normalEmailAddress(recipient) }),
      }),
  },
  getDelivery: { run: (ctx, { accountId, params }) => getDelivery(ctx, accountId, params.id) },
  retryDelivery: { run: (ctx, { accountId, params }) => retryDelivery(ctx, accountId, params.id) },

  sendTestEvent: {
    run: (ctx, { accountId, params, body }) => sendTestEvent(ctx, accountId, params.id, body),
  },

  createReplay: {
    run: (ctx, { accountId, params, body }) => createReplay(ctx, accountId, params.id, body),
  },
  listReplays: { run: (ctx, { accountId, params, query }) => listReplays(ctx, accountId, params.id, query) },
  listAllReplays: {
    run: (ctx, { accountId, query: { webhook_id, ...page } }) =>
      listAllReplays(ctx, accountId, {
        ...page,
        webhookId: webhook_id === undefined ? null : parseTypeId('wh', webhook_id),
      }),
  },
  getReplay: { run: (ctx, { accountId, params }) => getReplay(ctx, accountId, params.id) },
  cancelReplay: { run: (ctx, { accountId, params }) => cancelReplay(ctx, accountId, params.id) },
  checkUrl: {
    run: (ctx, { accountId, body }) => checkUrl(ctx, accountId, body.url),
    outsideTransaction: true,
  },
  checkWebhook: {
    run: (ctx, { accountId, params }) => checkWebhook(ctx, accountId, params.id),
    outsideTransaction: true,
  },

  createErasure: {
    run: async (ctx, { accountId, body }) =>
      await createErasure(ctx, await erasureAccount(ctx, accountId, body.account_id), body.recipient),
  },
  getErasure: { run: (ctx, { accountId, params }) => getErasure(ctx, accountId, params.id) },

  listSuppressions: { run: (ctx, { accountId, query }) => listSuppressions(ctx, accountId, query) },
  countSuppressions: { run: (ctx, { accountId }) => countSuppressions(ctx, accountId) },
  createSuppression: { run: (ctx, { accountId, body }) => createSuppression(ctx, accountId, body) },
  liftSuppression: { run: (ctx, { accountId, params }) => liftSuppression(ctx, accountId, params.id) },

  createSendingDomain: { run: (ctx, { accountId, body }) => createSendingDomain(ctx, accountId, body) },
  listSendingDomains: { run: (ctx, { accountId, query }) => listSendingDomains(ctx, accountId, query) },
  getSendingDomain: { run: (ctx, { accountId, params }) => getSendingDomain(ctx, accountId, params.id) },
  checkSendingDomain: {
    run: (ctx, { accountId, params }) => checkSendingDomain(ctx, accountId, params.id),
    outsideTransaction: true,
  },
  updateSendingDomain: {
    run: (ctx, { accountId, params, body }) => updateSendingDomain(ctx, accountId, params.id, body),
  },
  deleteSendingDomain: {
    run: (ctx, { accountId, params }) => deleteSendingDomain(ctx, accountId, params.id),
  },

  createPortalSession: { run: (ctx, { body }) => createPortalSession(ctx, body) },
  listPortalSessions: { run: (ctx, { query }) => listPortalSessions(ctx, query) },
  revokePortalSession: { run: (ctx, { params }) => revokePortalSession(ctx, params.id), gracePeriod: true },
}
