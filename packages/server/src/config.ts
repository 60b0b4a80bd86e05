import { canReturnTo } from './domain/oidc-issuer.ts'
import { headerNames } from './domain/header-names.ts'
import type { OperatorProxies } from './domain/proxied-operator.ts'
import type { OidcSettings } from './oidc/open-oidc.ts'
import { ConfigError, type Environment, isServiceLink, readSettings } from './read-settings.ts'
import { type SettingInForce, settingsInForce } from './settings-in-force.ts'
import { readSignals, type Signals } from './telemetry/signals.ts'
import { type Fields, serviceSettingNames, type serviceSettings, settings } from './settings.ts'

export { ConfigError } from './read-settings.ts'

export interface Config extends Omit<Fields<keyof typeof serviceSettings>, 'attemptTimeoutMaxMs'> {
  attemptTimeoutMaxMs: number
  /** What goes to an OpenTelemetry collector; null: nothing. */
  signals: Signals | null
  /** All settings as the operator may see them. */
  inForce: SettingInForce[]
}

/**
 * Reads the settings of the service.
 * @param env defaults to the environment of the process; only this file reads it
 * @throws ConfigError for the first setting that is unknown or malformed
 */
export function readConfig(env: Environment = process.env): { config: Config; warnings: string[] } {
  const warnings = refuseUnknown(env)
  const config = readSettings(env, serviceSettingNames)
  refuseContradictions(config)
  const attemptTimeoutMaxMs = config.attemptTimeoutMaxMs ?? config.attemptTimeoutMs
  return {
    config: { ...config, attemptTimeoutMaxMs, signals: readSignals(env), inForce: settingsInForce(env) },
    warnings,
  }
}

/** Which proxies may name operators; null if none may. */
export function operatorProxiesOf(
  config: Pick<Config, 'operatorHeader' | 'operatorProxies' | 'operatorsView' | 'operatorsChange'>,
): OperatorProxies | null {
  const { operatorHeader: header, operatorProxies: networks, operatorsView, operatorsChange } = config
  return header === null ? null : { header, networks, view: operatorsView, change: operatorsChange }
}

/** The OpenID provider with which operators sign in; null if there is none. */
export function oidcSettingsOf(config: Config): OidcSettings | null {
  const { oidcIssuer: issuer, oidcClientId: clientId, oidcClientSecret: clientSecret, oidcClaim } = config
  if (issuer === null || clientId === null || clientSecret === null) return null
  const people = { view: config.operatorsView, change: config.operatorsChange }
  return { issuer, clientId, clientSecret, claim: oidcClaim, people }
}

/** The settings that the CLI needs to reach a running service. */
export function readClientSettings(env: Environment = process.env) {
  return readSettings(env, ['POSTHORN_URL', 'POSTHORN_API_KEY', 'POSTHORN_ADMIN_TOKEN', 'POSTHORN_DATA_DIR'])
}

/** The mailbox that bounce messages arrive in. */
export function readImapSettings(env: Environment = process.env) {
  const { imap } = readSettings(env, ['POSTHORN_IMAP_URL'])
  if (imap === null) throw new ConfigError('set POSTHORN_IMAP_URL, as in imaps://user:password@host/INBOX')
  return imap
}

/** The names of the headers that commands send or read. */
export function readHeaderNames(env: Environment = process.env) {
  return headerNames(readSettings(env, ['POSTHORN_HEADER_PREFIX']).headerPrefix)
}

/** How commands reach the shards. */
export function readShardSettings(env: Environment = process.env) {
  const { shards, shardKeys } = readSettings(env, ['POSTHORN_SHARDS', 'POSTHORN_SHARD_KEYS'])
  if (shards === null || shardKeys === null) {
    throw new ConfigError('set POSTHORN_SHARDS and POSTHORN_SHARD_KEYS to the same values as on the fronts')
  }
  return { shards, shardKeys }
}

/** Whether npx or an npm script started this process. */
export function isRunByNpm(env: Environment = process.env): boolean {
  return env['npm_command'] !== undefined
}

/** The settings that say where the data is. */
export function readDatabaseSettings(env: Environment = process.env) {
  refuseUnknown(env)
  return readSettings(env, ['DATABASE_URL', 'POSTHORN_DATA_DIR'])
}

/** The settings that say where the data is, and the master keys if they are set. */
export function readTransferSettings(env: Environment = process.env) {
  refuseUnknown(env)
  return readSettings(env, ['POSTHORN_MASTER_KEYS', 'DATABASE_URL', 'POSTHORN_DATA_DIR'])
}

/** The same for decrypting secrets: with DATABASE_URL, the master keys must be set. */
export function readSealSettings(env: Environment = process.env): ReturnType<typeof readTransferSettings> {
  const sealSettings = readTransferSettings(env)
  if (sealSettings.databaseUrl !== null && sealSettings.masterKeys === null) {
    throw new ConfigError(masterKeysMissing)
  }
  return sealSettings
}

/** The settings for moving accounts between shards. */
export function readMoveSettings(env: Environment = process.env) {
  refuseUnknown(env)
  const { shardDatabases, masterKeys, ...others } = readSettings(env, [
    'POSTHORN_SHARD_DATABASES',
    'POSTHORN_MASTER_KEYS',
    'POSTHORN_RETRY_BASE_SECONDS',
    'POSTHORN_RETRY_CAP_SECONDS',
  ])
  if (shardDatabases === null || masterKeys === null) {
    throw new ConfigError(
      'POSTHORN_SHARD_DATABASES and POSTHORN_MASTER_KEYS must be set: the PostgreSQL URL of each shard, and the keys that all shards use',
    )
  }
  return { ...others, shardDatabases, masterKeys }
}

/** The settings for moving shards between servers. */
export function readShardDatabases(env: Environment = process.env) {
  refuseUnknown(env)
  const { shardDatabases } = readSettings(env, ['POSTHORN_SHARD_DATABASES'])
  if (shardDatabases === null) {
    throw new ConfigError('POSTHORN_SHARD_DATABASES must be set: the PostgreSQL URL of each shard')
  }
  return shardDatabases
}

const masterKeysMissing =
  'POSTHORN_MASTER_KEYS must be set with DATABASE_URL: every process needs the same keys (id:base64 of 32 random bytes)'

function refuseUnknown(env: Environment): string[] {
  const links = Object.keys(env).filter(name => isServiceLink(name, env[name]))
  for (const name of Object.keys(env)) {
    if (!name.startsWith('POSTHORN_') || links.includes(name) || name in settings) continue
    throw new ConfigError(`${name} is not a setting of Posthorn: see docs/configuration.md`)
  }
  return links.length === 0
    ? []
    : [
        `Posthorn ignores Kubernetes service links (${links.join(', ')}); to remove them, set enableServiceLinks: false`,
      ]
}

function refuseContradictions(config: Fields<keyof typeof serviceSettings>): void {
  if ((config.smtpTlsCert === null) !== (config.smtpTlsKey === null)) {
    throw new ConfigError(
      'POSTHORN_SMTP_TLS_CERT and POSTHORN_SMTP_TLS_KEY must be set together: set both or none',
    )
  }
  if (config.smtpPort !== null && config.returnPathDomain === null) {
    throw new ConfigError(
      'POSTHORN_SMTP_PORT needs POSTHORN_RETURN_PATH_DOMAIN: Posthorn accepts mail only for that domain',
    )
  }
  if (config.egressProxy !== null && config.egressSourceAddress !== null) {
    throw new ConfigError(
      'POSTHORN_EGRESS_SOURCE_ADDRESS has no effect with POSTHORN_EGRESS_PROXY, because the proxy sends: unset one of them',
    )
  }
  const attemptTimeoutMaxMs = config.attemptTimeoutMaxMs ?? config.attemptTimeoutMs
  if (attemptTimeoutMaxMs < config.attemptTimeoutMs) {
    throw new ConfigError(
      'POSTHORN_ATTEMPT_TIMEOUT_MAX_SECONDS must not be less than POSTHORN_ATTEMPT_TIMEOUT_SECONDS',
    )
  }
  if (config.leaseMs <= attemptTimeoutMaxMs + 1_000) {
    const longest = `POSTHORN_ATTEMPT_TIMEOUT${config.attemptTimeoutMaxMs === null ? '' : '_MAX'}_SECONDS`
    throw new ConfigError(
      `POSTHORN_LEASE_SECONDS must exceed ${longest} by more than 1 second; otherwise Posthorn could send a delivery again during its first attempt`,
    )
  }
  if (config.bounceRateWarning > config.bounceRateRisk) {
    throw new ConfigError('POSTHORN_BOUNCE_RATE_WARNING must not exceed POSTHORN_BOUNCE_RATE_RISK')
  }
  if (config.complaintRateWarning > config.complaintRateRisk) {
    throw new ConfigError('POSTHORN_COMPLAINT_RATE_WARNING must not exceed POSTHORN_COMPLAINT_RATE_RISK')
  }
  refuseOperatorContradictions(config)
  refuseShardContradictions(config)
  if (config.role === 'front') return
  if (config.databaseUrl === null) {
    if (config.role === 'all' && config.processes === 1) return
    const several =
      config.role === 'all' ? `POSTHORN_PROCESSES=${config.processes}` : `POSTHORN_ROLE=${config.role}`
    throw new ConfigError(`${several} needs DATABASE_URL: only one process can use the embedded database`)
  }
  if (config.masterKeys === null) {
    throw new ConfigError(masterKeysMissing)
  }
  if (config.adminToken === null && config.role !== 'dispatcher') {
    throw new ConfigError(
      'POSTHORN_ADMIN_TOKEN must be set with DATABASE_URL: any secret of at least 32 characters',
    )
  }
}

function refuseOperatorContradictions(config: Fields<keyof typeof serviceSettings>): void {
  const hasHeader = config.operatorHeader !== null
  const hasPeople = config.operatorsView.length + config.operatorsChange.length > 0
  const ofProvider = [config.oidcIssuer, config.oidcClientId, config.oidcClientSecret]
  const hasProvider = ofProvider.some(value => value !== null)
  if (hasHeader !== config.operatorProxies.length > 0 || (hasHeader || hasProvider) !== hasPeople) {
    throw new ConfigError(
      'POSTHORN_OPERATOR_HEADER and POSTHORN_OPERATOR_PROXIES must be set together, and they or POSTHORN_OIDC_ISSUER with one of POSTHORN_OPERATORS_VIEW and POSTHORN_OPERATORS_CHANGE: set all or none',
    )
  }
  if (!hasProvider) return
  if (ofProvider.includes(null)) {
    throw new ConfigError(
      'POSTHORN_OIDC_ISSUER, POSTHORN_OIDC_CLIENT_ID and POSTHORN_OIDC_CLIENT_SECRET must be set together: set all or none',
    )
  }
  if (config.publicUrl === null || !canReturnTo(config.publicUrl)) {
    throw new ConfigError(
      'POSTHORN_OIDC_ISSUER needs POSTHORN_PUBLIC_URL with https, because the provider sends people back there',
    )
  }
  if (config.role === 'front') {
    throw new ConfigError('POSTHORN_OIDC_ISSUER is not for fronts: set it on shard 0')
  }
}

function refuseShardContradictions(config: Fields<keyof typeof serviceSettings>): void {
  const isFront = config.role === 'front'
  const onlyForFronts =
    config.shards !== null
      ? 'POSTHORN_SHARDS'
      : config.mixedReports === 'any'
        ? 'POSTHORN_MIXED_REPORTS'
        : null
  if (!isFront && onlyForFronts !== null) {
    throw new ConfigError(`${onlyForFronts} is only for fronts: set POSTHORN_ROLE=front, or unset it`)
  }
  if (isFront && config.databaseUrl !== null) {
    throw new ConfigError('POSTHORN_ROLE=front has no database: unset DATABASE_URL, or choose another role')
  }
  if (!isFront && config.shardKeys === null) return
  const missing = [
    ...(isFront && config.shards === null ? ['POSTHORN_SHARDS'] : []),
    ...(isFront && config.shardKeys === null ? ['POSTHORN_SHARD_KEYS'] : []),
    ...(!isFront && config.masterKeys === null ? ['POSTHORN_MASTER_KEYS'] : []),
    ...(config.role !== 'dispatcher' && config.adminToken === null ? ['POSTHORN_ADMIN_TOKEN'] : []),
    ...(config.publicUrl === null ? ['POSTHORN_PUBLIC_URL'] : []),
  ]
  if (missing.length === 0) return
  const who = isFront ? 'POSTHORN_ROLE=front' : 'POSTHORN_SHARD_KEYS'
  throw new ConfigError(
    `${who} needs ${missing.join(', ')}: use the same values in every process of the installation`,
  )
}
