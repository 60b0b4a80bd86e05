import { ConfigError, type Environment, isServiceLink, readSettings } from './read-settings.ts'
import { type SettingInForce, settingsInForce } from './settings-in-force.ts'
import { type Fields, serviceSettingNames, type serviceSettings, settings } from './settings.ts'

export { ConfigError } from './read-settings.ts'

export interface Config extends Fields<keyof typeof serviceSettings> {
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
  const config = readSettings(env, serviceSettingNames)
  refuseContradictions(config)
  return { config: { ...config, inForce: settingsInForce(env) }, warnings }
}

/** What the CLI needs to reach a running service. */
export function readClientSettings(env: Environment = process.env) {
  return readSettings(env, ['POSTHORN_URL', 'POSTHORN_API_KEY', 'POSTHORN_ADMIN_TOKEN', 'POSTHORN_DATA_DIR'])
}

/** Whether npx or a script of npm has started this process. */
export function isRunByNpm(env: Environment = process.env): boolean {
  return env['npm_command'] !== undefined
}

/** Where the data lies: all that migrating it needs to know. */
export function readDatabaseSettings(env: Environment = process.env) {
  refuseUnknown(env)
  return readSettings(env, ['DATABASE_URL', 'POSTHORN_DATA_DIR'])
}

/** Where the data lies, and the master keys if they are set. */
export function readTransferSettings(env: Environment = process.env) {
  refuseUnknown(env)
  return readSettings(env, ['POSTHORN_MASTER_KEYS', 'DATABASE_URL', 'POSTHORN_DATA_DIR'])
}

/** What it takes to open what is sealed: where the data lies and under which keys; null: in the data directory. */
export function readSealSettings(env: Environment = process.env): ReturnType<typeof readTransferSettings> {
  const sealSettings = readTransferSettings(env)
  if (sealSettings.databaseUrl !== null && sealSettings.masterKeys === null) {
    throw new ConfigError(masterKeysMissing)
  }
  return sealSettings
}

const masterKeysMissing =
  'POSTHORN_MASTER_KEYS must be set with DATABASE_URL: every process needs the same keys (id:base64 of 32 random bytes)'

function refuseUnknown(env: Environment): string[] {
  const links = Object.keys(env).filter(name => isServiceLink(name, env[name]))
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

function refuseContradictions(config: Fields<keyof typeof serviceSettings>): void {
  if ((config.smtpTlsCert === null) !== (config.smtpTlsKey === null)) {
    throw new ConfigError(
      'POSTHORN_SMTP_TLS_CERT and POSTHORN_SMTP_TLS_KEY belong together: set both or none',
    )
  }
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
