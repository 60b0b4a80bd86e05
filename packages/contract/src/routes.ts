import { accountRoutes } from './routes/accounts.ts'
import { apiKeyRoutes } from './routes/api-keys.ts'
import { auditLogRoutes } from './routes/audit-log.ts'
import { brandingRoutes } from './routes/branding.ts'
import { deliveryRoutes } from './routes/deliveries.ts'
import { emailRoutes } from './routes/emails.ts'
import { erasureRoutes } from './routes/erasures.ts'
import { eventRoutes } from './routes/events.ts'
import { loopbackPermissionRoutes } from './routes/loopback-permissions.ts'
import { noticeEmailRoutes } from './routes/notice-email.ts'
import { noticeWebhookRoutes } from './routes/notice-webhook.ts'
import { operatorRoutes } from './routes/operators.ts'
import { portalSessionRoutes } from './routes/portal-sessions.ts'
import { providerSourceRoutes } from './routes/provider-sources.ts'
import { replayRoutes } from './routes/replays.ts'
import { serviceRoutes } from './routes/service.ts'
import { sendingLimitRoutes } from './routes/sending-limits.ts'
import { sendingDomainRoutes } from './routes/sending-domains.ts'
import { sessionRoutes } from './routes/sessions.ts'
import { signingKeyRoutes } from './routes/signing-keys.ts'
import { trialRoutes } from './routes/trials.ts'
import { sourceRoutes } from './routes/sources.ts'
import { statsRoutes } from './routes/stats.ts'
import { suppressionRoutes } from './routes/suppressions.ts'
import { systemRoutes } from './routes/system.ts'
import { webhookRoutes } from './routes/webhooks.ts'

/** Every operation of the API, by operation id. */
export const routes = {
  ...accountRoutes,
  ...apiKeyRoutes,
  ...webhookRoutes,
  ...loopbackPermissionRoutes,
  ...signingKeyRoutes,
  ...trialRoutes,
  ...emailRoutes,
  ...sendingLimitRoutes,
  ...eventRoutes,
  ...sourceRoutes,
  ...providerSourceRoutes,
  ...deliveryRoutes,
  ...replayRoutes,
  ...erasureRoutes,
  ...suppressionRoutes,
  ...sendingDomainRoutes,
  ...brandingRoutes,
  ...noticeWebhookRoutes,
  ...noticeEmailRoutes,
  ...auditLogRoutes,
  ...statsRoutes,
  ...sessionRoutes,
  ...portalSessionRoutes,
  ...operatorRoutes,
  ...systemRoutes,
  ...serviceRoutes,
} as const

export type Routes = typeof routes
export type OperationId = keyof Routes
