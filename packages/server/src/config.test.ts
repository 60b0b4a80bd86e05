import { expect, test } from 'vitest'
import { ConfigError, readConfig } from './config.ts'

test.each([
  ['POSTHORN_PORTS', '80', ' is not a setting of Posthorn: see docs/configuration.md'],
  ['POSTHORN_PORT', '65536', ' must be a whole number from 0 to 65535, not "65536"'],
  ['POSTHORN_PORT', '0x10', ' must be a whole number from 0 to 65535, not "0x10"'],
  ['POSTHORN_DRAIN_PER_SECOND', '0', ' must be a number of at least 0.01, not "0"'],
  ['POSTHORN_ROLE', 'queen', ' must be one of all, api, dispatcher, front, not "queen"'],
  ['POSTHORN_EGRESS_HTTP', 'yes', ' must be one of true, false, not "yes"'],
  [
    'POSTHORN_EGRESS_SOURCE_ADDRESS',
    'eth0',
    ': write one IPv4 address, one IPv6 address, or both, separated by a comma',
  ],
  ['POSTHORN_EGRESS_PORTS', '443,0', ': "0" is not a port from 1 to 65535'],
  ['POSTHORN_EGRESS_ALLOW', 'lan', ': "lan" is not an address range: write it like 10.0.0.0/8 or fd00::/8'],
  ['POSTHORN_PUBLIC_URL', 'ftp://a.example', ' must be an http or https URL, not "ftp://a.example"'],
  ['POSTHORN_BOUNCE_RATE_RISK', '101%', ': "101%" is not a fraction from 0 to 1, or a percentage'],
  ['POSTHORN_COMPLAINT_RATE_RISK', '-1', ': "-1" is not a fraction from 0 to 1, or a percentage'],
  // these may be secrets, so the errors do not show them; Node turns invalid UTF-8 into U+FFFD
  ['POSTHORN_DATA_DIR', '/srv/\ufffd', ' must be UTF-8'],
  ['POSTHORN_ADMIN_TOKEN', 'hunter2', ' must have at least 32 characters'],
  ['DATABASE_URL', 'mysql://a:hunter2@b', ': it must begin with postgres:// or postgresql://'],
])('%s=%s prevents startup with an error that says what to do', (name, text, message) => {
  expect(() => readConfig({ [name]: text })).toThrow(new ConfigError(name + message))
})

test('the standard variables of OpenTelemetry decide what is exported', () => {
  const at = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' }
  const signals = (env: Record<string, string>) => readConfig(env).config.signals
  expect(signals({})).toBeNull()
  expect(signals({ OTEL_EXPORTER_OTLP_ENDPOINT: '' })).toBeNull()
  expect(signals({ ...at, OTEL_SDK_DISABLED: 'true' })).toBeNull()
  expect(signals(at)).toEqual({ traces: true, metrics: true, logs: true })
  expect(signals({ ...at, OTEL_METRICS_EXPORTER: 'none' })).toMatchObject({ traces: true, metrics: false })
  expect(signals({ OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: 'https://logs.example/v1/logs' })).toEqual({
    traces: false,
    metrics: false,
    logs: true,
  })
  // the SDK would fall back to other values without a word
  expect(() => signals({ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4317' })).toThrow(
    'must be an http or https URL',
  )
  expect(() => signals({ ...at, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' })).toThrow('must be http/protobuf')
  expect(() => signals({ ...at, OTEL_TRACES_EXPORTER: 'zipkin' })).toThrow('must be otlp or none')
})

test('empty values count as unset, and values set by Kubernetes are reported and ignored', () => {
  const { config, warnings } = readConfig({
    POSTHORN_HOST: ' ',
    POSTHORN_PORT: 'tcp://10.0.0.1:80',
    POSTHORN_DATA_DIR: ' /var/lib/é ',
  })
  expect(config).toMatchObject({ host: '127.0.0.1', port: 4100, dataDir: '/var/lib/é', publicUrl: null })
  expect(warnings).toEqual([expect.stringContaining('(POSTHORN_PORT)')])
})

test('the effective settings name their source and show no secret', () => {
  const { inForce } = readConfig({
    POSTHORN_SMTP_URL: 'smtp://a:hunter2@b',
    POSTHORN_EGRESS_PROXY: 'socks5://a:hunter2@b',
    POSTHORN_LEASE_SECONDS: '40.5',
  }).config
  expect(inForce).toEqual(
    expect.arrayContaining([
      { name: 'POSTHORN_SMTP_URL', value: '***', source: 'environment' },
      { name: 'POSTHORN_EGRESS_PROXY', value: '***', source: 'environment' },
      { name: 'POSTHORN_LEASE_SECONDS', value: '40.5', source: 'environment' },
      { name: 'POSTHORN_ADMIN_TOKEN', value: '***', source: 'file' },
      { name: 'POSTHORN_HOST', value: '127.0.0.1', source: 'default' },
    ]),
  )
})

test('rates may be fractions or percentages, and a warning comes before the risk', () => {
  const { config } = readConfig({ POSTHORN_BOUNCE_RATE_WARNING: '0.03', POSTHORN_BOUNCE_RATE_RISK: '3.0%' })
  expect(config).toMatchObject({
    bounceRateWarning: 0.03,
    bounceRateRisk: 0.03,
    complaintRateWarning: 0.0008,
    complaintRateRisk: 0.001,
  })
  for (const rate of ['BOUNCE', 'COMPLAINT']) {
    expect(() => readConfig({ [`POSTHORN_${rate}_RATE_WARNING`]: '6%' })).toThrow(
      `POSTHORN_${rate}_RATE_WARNING must not exceed POSTHORN_${rate}_RATE_RISK`,
    )
  }
})

const shardKeys = `first:${Buffer.alloc(32, 1).toString('base64')}`
const adminToken = 'an operator token of 32 characters'
const publicUrl = 'https://posthorn.example'
const front = {
  POSTHORN_ROLE: 'front',
  POSTHORN_SHARDS: '0=http://10.0.0.1:4100',
  POSTHORN_SHARD_KEYS: shardKeys,
  POSTHORN_ADMIN_TOKEN: adminToken,
  POSTHORN_PUBLIC_URL: publicUrl,
}
const shard = {
  POSTHORN_SHARD_KEYS: shardKeys,
  POSTHORN_MASTER_KEYS: shardKeys,
  POSTHORN_ADMIN_TOKEN: adminToken,
  POSTHORN_PUBLIC_URL: publicUrl,
}

test('a front needs no database, and a shard may use any', () => {
  expect(readConfig({ ...front, POSTHORN_MIXED_REPORTS: 'any' }).config).toMatchObject({
    role: 'front',
    shards: [{ number: 0, url: 'http://10.0.0.1:4100' }],
    shardKeys: [{ id: 'first' }],
    mixedReports: 'any',
  })
  expect(readConfig(shard).config.shards).toBeNull()
})

test.each([
  [front, { POSTHORN_SHARDS: '' }, 'POSTHORN_ROLE=front needs POSTHORN_SHARDS'],
  [front, { POSTHORN_SHARD_KEYS: '' }, 'POSTHORN_ROLE=front needs POSTHORN_SHARD_KEYS'],
  [front, { POSTHORN_ADMIN_TOKEN: '' }, 'POSTHORN_ROLE=front needs POSTHORN_ADMIN_TOKEN'],
  [front, { POSTHORN_PUBLIC_URL: '' }, 'POSTHORN_ROLE=front needs POSTHORN_PUBLIC_URL'],
  [front, { DATABASE_URL: 'postgres://a/b' }, 'POSTHORN_ROLE=front has no database'],
  [front, { POSTHORN_SHARDS: '1=http://b' }, 'POSTHORN_SHARDS: shard 0 is missing'],
  [
    front,
    { POSTHORN_SHARD_KEYS: 'first:hunter2' },
    'POSTHORN_SHARD_KEYS: shard key 1 ("first") is not base64',
  ],
  [shard, { POSTHORN_MASTER_KEYS: '' }, 'POSTHORN_SHARD_KEYS needs POSTHORN_MASTER_KEYS'],
  [shard, { POSTHORN_ADMIN_TOKEN: '' }, 'POSTHORN_SHARD_KEYS needs POSTHORN_ADMIN_TOKEN'],
  [shard, { POSTHORN_PUBLIC_URL: '' }, 'POSTHORN_SHARD_KEYS needs POSTHORN_PUBLIC_URL'],
  [shard, { POSTHORN_SHARDS: '0=http://a' }, 'POSTHORN_SHARDS is only for fronts'],
  [shard, { POSTHORN_MIXED_REPORTS: 'any' }, 'POSTHORN_MIXED_REPORTS is only for fronts'],
])(
  'fronts and shards refuse settings that contradict each other: %j with %j',
  (settings, change, message) => {
    expect(() => readConfig({ ...settings, ...change })).toThrow(message)
  },
)

test('the longest attempt timeout of an endpoint is between the default and the lease', () => {
  expect(readConfig({ POSTHORN_ATTEMPT_TIMEOUT_SECONDS: '7' }).config.attemptTimeoutMaxMs).toBe(7_000)
  const longest = (seconds: string) => readConfig({ POSTHORN_ATTEMPT_TIMEOUT_MAX_SECONDS: seconds })
  expect(longest('18').config).toMatchObject({ attemptTimeoutMs: 15_000, attemptTimeoutMaxMs: 18_000 })
  expect(() => longest('14')).toThrow('POSTHORN_ATTEMPT_TIMEOUT_MAX_SECONDS must not be less than')
  expect(() => longest('19')).toThrow('must exceed POSTHORN_ATTEMPT_TIMEOUT_MAX_SECONDS by')
})

test('an OpenID provider needs a client, people and a public URL that it can send them back to', () => {
  const set = {
    POSTHORN_OIDC_ISSUER: 'https://id.example.com',
    POSTHORN_OIDC_CLIENT_ID: 'posthorn',
    POSTHORN_OIDC_CLIENT_SECRET: 'hunter2',
    POSTHORN_OPERATORS_VIEW: 'vera@example.com',
    POSTHORN_PUBLIC_URL: 'https://p.example.com',
  }
  expect(readConfig(set).config.oidcClaim).toBe('email')
  for (const name of Object.keys(set)) {
    expect(() => readConfig({ ...set, [name]: '' }), name).toThrow(ConfigError)
  }
  expect(() => readConfig({ ...set, POSTHORN_PUBLIC_URL: 'http://p.example.com' })).toThrow('with https')
  expect(() => readConfig({ ...set, POSTHORN_ROLE: 'front' })).toThrow('not for fronts')
  expect(JSON.stringify(readConfig(set).config.inForce)).not.toContain('hunter2')
})
