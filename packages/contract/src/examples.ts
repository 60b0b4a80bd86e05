import { accountExamples } from './examples/accounts.ts'
import { apiKeyExamples } from './examples/api-keys.ts'
import { brandingExamples } from './examples/branding.ts'
import { deliveryExamples } from './examples/deliveries.ts'
import { emailExamples } from './examples/emails.ts'
import { erasureExamples } from './examples/erasures.ts'
import { eventExamples } from './examples/events.ts'
import type { Examples } from './examples/example.ts'
import { insightExamples } from './examples/insight.ts'
import { noticeExamples } from './examples/notices.ts'
import { operatorExamples } from './examples/operators.ts'
import { providerSourceExamples } from './examples/provider-sources.ts'
import { replayExamples } from './examples/replays.ts'
import { sendingDomainExamples } from './examples/sending-domains.ts'
import { sessionExamples } from './examples/sessions.ts'
import { signingKeyExamples } from './examples/signing-keys.ts'
import { sourceExamples } from './examples/sources.ts'
import { suppressionExamples } from './examples/suppressions.ts'
import { systemExamples } from './examples/system.ts'
import { trialExamples } from './examples/trials.ts'
import { webhookExamples } from './examples/webhooks.ts'

/** An example request and response for each operation, by operation id. */
export const examples: Examples = {
  ...accountExamples,
  ...apiKeyExamples,
  ...webhookExamples,
  ...signingKeyExamples,
  ...trialExamples,
  ...emailExamples,
  ...eventExamples,
  ...sourceExamples,
  ...providerSourceExamples,
  ...deliveryExamples,
  ...replayExamples,
  ...erasureExamples,
  ...suppressionExamples,
  ...sendingDomainExamples,
  ...brandingExamples,
  ...noticeExamples,
  ...insightExamples,
  ...sessionExamples,
  ...operatorExamples,
  ...systemExamples,
}
