import { readdirSync } from 'node:fs'

const packages = new URL('../../../', import.meta.url)

/** The tests in a folder. */
function testsIn(folder: string): string[] {
  return readdirSync(new URL(folder, packages), { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.test.ts'))
    .sort()
    .map(file => `${folder}/${file}`)
}

/** All tests that use a service over HTTP and neither kill it nor start it themselves, from `packages`. */
export const httpSuite = [
  ...testsIn('server/test/http'),
  ...testsIn('server/test/sources'),
  ...testsIn('server/test/suppressions'),
  ...testsIn('server/test/health'),
  ...testsIn('server/test/stats'),
  ...testsIn('client/test'),
  ...testsIn('dashboard/test'),
  'server/test/audit/audit-log.test.ts',
  'server/test/cli/deliveries.test.ts',
  'server/test/cli/endpoints.test.ts',
  'server/test/cli/ingest/ingest.test.ts',
  'server/test/cli/outcomes-report.test.ts',
  'server/test/cli/replay.test.ts',
  'server/test/cli/service-commands.test.ts',
  'server/test/cli/status.test.ts',
  'server/test/cli/suppressions.test.ts',
  'server/test/clients/generated-clients.long.ts',
  'server/test/dispatch/delivery-rules.test.ts',
  'server/test/dispatch/endpoint-settings.test.ts',
  'server/test/dispatch/receiver-proof.test.ts',
  'server/test/dispatch/rotation.test.ts',
  'server/test/domains/sending-domains.test.ts',
  'server/test/emails/accepting.test.ts',
  'server/test/emails/addresses.test.ts',
  'server/test/emails/relay-login.test.ts',
  'server/test/emails/sending.test.ts',
  'server/test/faults/generated/bytes.test.ts',
  'server/test/faults/generated/inputs.test.ts',
  'server/test/faults/generated/requests.test.ts',
  'server/test/faults/gone.test.ts',
  'server/test/faults/secrets.test.ts',
  'server/test/operations/attempt-log.test.ts',
  'server/test/operations/checks.test.ts',
  'server/test/operations/recent-proof.test.ts',
  'server/test/operations/system.test.ts',
  'server/test/operations/test-events.test.ts',
  'server/test/operations/url-checks.test.ts',
  'server/test/outcomes/raw-outcomes.test.ts',
  'server/test/verbs/own-api-keys.test.ts',
]
