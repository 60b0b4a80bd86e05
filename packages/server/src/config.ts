import { parseCidrs } from './domain/cidr.ts'
import { serverList } from './domain/server-list.ts'
import { parseMailAddress, parseMailDomain, parseSmtpUrl, type SmtpServer } from './domain/smtp-url.ts'
import { parseMasterKeys, type MasterKey } from './seal/master-keys.ts'
import { ConfigError, type Environment, isServicePort, SettingReader } from './setting-reader.ts'
import { type SettingInForce, settingsInForce } from './settings-in-force.ts'
import { type SettingName, settings } from './settings.ts'

export { ConfigError } from './setting-reader.ts'

export type Role = 'all' | 'api' | 'dispatcher'

export interface Config {
  host: string
  port: number
  publicUrl: string | null
  dataDir: string
  databaseUrl: string | null
  /** Null: to be read from, or made in, the data directory. */
  adminToken: string | null
  masterKeys: MasterKey[] | null
  egressAllow: string[]
  egressHttp: boolean
  egressPorts: number[]
  apiRateLimit: number
  disableAfterMs: number
  inFlightMax: number
  inFlightPerEndpointMax: number
  drainPerSecond: number
  retryBaseSeconds: number
  retryCapSeconds: number
  leaseMs: number
  attemptTimeoutMs: number
  retentionDays: number
  /** `address` or `address:port` each; null: those of the system. */
  dnsServers: string[] | null
  smtp: SmtpServer | null
  smtpFinalHop: boolean
  noticesFrom: string | null
  returnPathDomain: string | null
  /** Own port for reports; null: none. */
  smtpPort: number | null
  smtpHost: string
  /** PEM files of the SMTP port; null: it offers no STARTTLS. */
  smtpTls: { certPath: string; keyPath: string } | null
  complaints: boolean
  logLevel: string
  role: Role
  /** So many of them do the work. */
  processes: number
  /** All of these as they may be shown. */
  inForce: SettingInForce[]
}

/**
 * Reads the settings of the service.
 * @param env defaults to the process's environment; this is the only file that reads it
 * @throws ConfigError for the first setting that is unknown or malformed
 */
export function readConfig(env: Environment = process.env): { config: Config; warnings: string[] } {
  const warnings = refuseUnknown(env)
  const read = new SettingReader(env)
  const config: Config = {
    host: read.text('POSTHORN_HOST') ?? '127.0.0.1',
    port: read.whole('POSTHORN_PORT', 4100, 0, 65_535),
    publicUrl: read.url('POSTHORN_PUBLIC_URL'),
    dataDir: read.text('POSTHORN_DATA_DIR') ?? './.posthorn',
    databaseUrl: read.postgresUrl('DATABASE_URL'),
    adminToken: read.secret('POSTHORN_ADMIN_TOKEN', 32),
    masterKeys: read.parsed('POSTHORN_MASTER_KEYS', parseMasterKeys),
    egressAllow: read.parsed('POSTHORN_EGRESS_ALLOW', parseCidrs) ?? [],
    egressHttp: read.oneOf('POSTHORN_EGRESS_HTTP', ['false', 'true']) === 'true',
    egressPorts: read.parsed('POSTHORN_EGRESS_PORTS', portList) ?? [443, 8443],
    apiRateLimit: read.number('POSTHORN_API_RATE_LIMIT', 200, 0),
    disableAfterMs: read.number('POSTHORN_DISABLE_AFTER_HOURS', 120, 0) * 3_600_000,
    inFlightMax: read.whole('POSTHORN_MAX_IN_FLIGHT', 1_000, 1, 100_000),
    inFlightPerEndpointMax: read.whole('POSTHORN_MAX_IN_FLIGHT_PER_ENDPOINT', 20, 1, 10_000),
    drainPerSecond: read.number('POSTHORN_DRAIN_PER_SECOND', 50, 0.01),
    retryBaseSeconds: read.number('POSTHORN_RETRY_BASE_SECONDS', 120, 0),
    retryCapSeconds: read.number('POSTHORN_RETRY_CAP_SECONDS', 86_400, 0),
    leaseMs: read.number('POSTHORN_LEASE_SECONDS', 30, 0) * 1_000,
    attemptTimeoutMs: read.number('POSTHORN_ATTEMPT_TIMEOUT_SECONDS', 15, 0.01) * 1_000,
    retentionDays: read.number('POSTHORN_RETENTION_DAYS', 30, 1),
    dnsServers: read.parsed('POSTHORN_DNS_SERVERS', serverList),
    smtp: read.parsed('POSTHORN_SMTP_URL', parseSmtpUrl),
    smtpFinalHop: read.oneOf('POSTHORN_SMTP_FINAL_HOP', ['false', 'true']) === 'true',
    noticesFrom: read.parsed('POSTHORN_NOTICES_FROM', parseMailAddress),
    returnPathDomain: read.parsed('POSTHORN_RETURN_PATH_DOMAIN', parseMailDomain),
    smtpPort:
      read.text('POSTHORN_SMTP_PORT') === null ? null : read.whole('POSTHORN_SMTP_PORT', 0, 0, 65_535),
    smtpHost: read.text('POSTHORN_SMTP_HOST') ?? '127.0.0.1',
    smtpTls: tlsFiles(read),
    complaints: read.oneOf('POSTHORN_COMPLAINTS', ['true', 'false']) === 'true',
    logLevel: read.oneOf('POSTHORN_LOG_LEVEL', ['info', 'debug', 'warn', 'error', 'silent']),
    role: read.oneOf('POSTHORN_ROLE', ['all', 'api', 'dispatcher']),
    processes: read.whole('POSTHORN_PROCESSES', 1, 1, 64),
    inForce: settingsInForce(name => read.text(name), filesRead(read)),
  }
  refuseContradictions(config)
  return { config, warnings }
}

function tlsFiles(read: SettingReader): Config['smtpTls'] {
  const certPath = read.text('POSTHORN_SMTP_TLS_CERT')
  const keyPath = read.text('POSTHORN_SMTP_TLS_KEY')
  if (certPath !== null && keyPath !== null) return { certPath, keyPath }
  if (certPath === null && keyPath === null) return null
  throw new ConfigError('POSTHORN_SMTP_TLS_CERT and POSTHORN_SMTP_TLS_KEY belong together: set both or none')
}

/** Without a database server, what is not set lies in the data directory. */
function filesRead(read: SettingReader): ReadonlySet<SettingName> {
  const isEmbedded = read.text('DATABASE_URL') === null
  return new Set(isEmbedded ? ['POSTHORN_ADMIN_TOKEN', 'POSTHORN_MASTER_KEYS'] : [])
}

/** What the CLI needs to reach a running service. */
export function readClientSettings(env: Environment = process.env): {
  url: string
  apiKey: string | null
  adminToken: string | null
  dataDir: string
} {
  const read = new SettingReader(env)
  return {
    url: read.url('POSTHORN_URL') ?? 'http://127.0.0.1:4100',
    apiKey: read.text('POSTHORN_API_KEY'),
    adminToken: read.secret('POSTHORN_ADMIN_TOKEN', 32),
    dataDir: read.text('POSTHORN_DATA_DIR') ?? './.posthorn',
  }
}

/** Where the data lies: all that migrating it needs to know. */
export function readDatabaseSettings(
  env: Environment = process.env,
): Pick<Config, 'databaseUrl' | 'dataDir'> {
  refuseUnknown(env)
  const read = new SettingReader(env)
  return {
    databaseUrl: read.postgresUrl('DATABASE_URL'),
    dataDir: read.text('POSTHORN_DATA_DIR') ?? './.posthorn',
  }
}

/** Where the data lies, and the master keys if they are set. */
export function readTransferSettings(
  env: Environment = process.env,
): Pick<Config, 'databaseUrl' | 'dataDir' | 'masterKeys'> {
  const masterKeys = new SettingReader(env).parsed('POSTHORN_MASTER_KEYS', parseMasterKeys)
  return { ...readDatabaseSettings(env), masterKeys }
}

/** What it takes to open what is sealed: where the data lies and under which keys; null: in the data directory. */
export function readSealSettings(env: Environment = process.env): ReturnType<typeof readTransferSettings> {
  const settings = readTransferSettings(env)
  if (settings.databaseUrl !== null && settings.masterKeys === null) throw new ConfigError(masterKeysMissing)
  return settings
}

const masterKeysMissing =
  'POSTHORN_MASTER_KEYS must be set with DATABASE_URL: every process needs the same keys (id:base64 of 32 random bytes)'

/** Kubernetes puts such variables into every pod that shares a namespace with a service named posthorn. */
const serviceLink = /^POSTHORN_(SERVICE_.+|PORT_.+)$/

function refuseUnknown(env: Environment): string[] {
  const links = Object.keys(env).filter(
    name => serviceLink.test(name) || (name === 'POSTHORN_PORT' && isServicePort(env)),
  )
  for (const name of Object.keys(env)) {
    if (!name.startsWith('POSTHORN_') || links.includes(name) || name in settings) continue
    throw new ConfigError(`${name} is not a setting of Posthorn; docs/configuration.md lists them all`)
  }
  return links.length === 0
    ? []
    : [
        `Kubernetes service links are ignored (${links.join(', ')}); set enableServiceLinks: false to lose them`,
      ]
}

function refuseContradictions(config: Config): void {
  if (config.smtpPort !== null && config.returnPathDomain === null) {
    throw new ConfigError(
      'POSTHORN_SMTP_PORT needs POSTHORN_RETURN_PATH_DOMAIN: mail to other domains is refused',
    )
  }
  if (config.leaseMs <= config.attemptTimeoutMs + 1_000) {
    throw new ConfigError(
      'POSTHORN_LEASE_SECONDS must exceed POSTHORN_ATTEMPT_TIMEOUT_SECONDS by more than 1 second, or a delivery would be sent twice while its first attempt is under way',
    )
  }
  if (config.databaseUrl === null) {
    if (config.role === 'all' && config.processes === 1) return
    const several =
      config.role === 'all' ? `POSTHORN_PROCESSES=${config.processes}` : `POSTHORN_ROLE=${config.role}`
    throw new ConfigError(`${several} needs DATABASE_URL: the embedded database belongs to one process`)
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

function portList(text: string): number[] {
  return text.split(',').map(part => {
    const port = /^\d{1,5}$/.test(part.trim()) ? Number(part) : 0
    if (port < 1 || port > 65_535) throw new Error(`"${part}" is not a port from 1 to 65535`)
    return port
  })
}
