import { existsSync, mkdirSync } from 'node:fs'
import { enableCompileCache, flushCompileCache } from 'node:module'
import { join } from 'node:path'
import { type Config, ConfigError, readConfig } from '../config.ts'
import type { Log } from '../log.ts'
import { type Member, thisMember } from '../processes/this-member.ts'
import type { openService } from '../service.ts'
import { settings } from '../settings.ts'
import { systemClock } from '../system-clock.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'
import { packageVersion } from '../version.ts'
import { askedToStop } from './asked-to-stop.ts'
import { CommandError } from './command-error.ts'
import type { CommandInput } from './command-input.ts'
import type { Command } from './command.ts'
import { describeFailure } from './describe-failure.ts'
import { firstSteps } from './first-steps.ts'
import { printLine } from './print.ts'

export const start: Command = {
  name: 'start',
  summary: 'Run the service: API, dispatcher, metrics',
  about: [
    `By default, keeps its data in ${settings.POSTHORN_DATA_DIR.unset} and listens at http://${settings.POSTHORN_HOST.unset}:${settings.POSTHORN_PORT.unset}. Logs are JSON lines,`,
    'formatted on a terminal. docs/configuration.md lists all settings.',
    '',
    'On SIGTERM or SIGINT, the service drains: it stops accepting requests, finishes attempts in flight (for at most',
    '20 s), returns other claimed deliveries to the queue, and exits with 0. It exits with 1 if draining takes more than',
    '25 s, for example because the database accepts no writes.',
  ].join('\n'),
  examples: [
    'posthorn start',
    'POSTHORN_PORT=0 POSTHORN_DATA_DIR=/var/lib/posthorn posthorn start',
    'DATABASE_URL=postgres://… POSTHORN_PROCESSES=4 posthorn start   # four processes on one port',
    'POSTHORN_EGRESS_ALLOW=127.0.0.0/8,::1/128 POSTHORN_EGRESS_HTTP=true posthorn start   # receivers on this machine',
  ],
  async run(input) {
    const { config, warnings } = readSettings()
    const member = thisMember()
    const asked = askedToStop()
    if (member === null && config.processes > 1) {
      const { runProcesses } = await import('../processes/run-processes.ts')
      const log = await openLog(config, warnings)
      return { exitCode: await runProcesses({ count: config.processes, log, stopRequested: asked }) }
    }
    try {
      await runService(config, { input, warnings, member, asked })
    } finally {
      member?.leave()
    }
    return { exitCode: 0 }
  },
}

interface Running {
  input: CommandInput
  warnings: readonly string[]
  member: Member | null
  asked: Promise<string>
}

async function runService(config: Config, { input, warnings, member, asked }: Running): Promise<void> {
  // with a PostgreSQL server, the data directory may be missing or belong to another user
  const isEmbedded = config.databaseUrl === null && config.role !== 'front'
  const compiled = isEmbedded ? keepCompiled(config.dataDir) : null
  const [telemetry, open] = await Promise.all([openTelemetryOf(config), openerOf(config)])
  // the first process has already logged the warnings
  const log = await openLog(config, member === null ? warnings : [], member?.number, telemetry)
  telemetry?.reportFailures(log)
  const isFirst = isEmbedded && !existsSync(join(config.dataDir, madeByFirstStart(config)))
  try {
    await using drained = new AsyncDisposableStack()
    drained.defer(async () => {
      if (telemetry === null) return
      await telemetry.close()
      // a collector that hangs must not keep the process alive
      setTimeout(() => process.exit(), 500).unref()
    })
    const service = await open(config, log, { member, telemetry })
    drained.defer(async () => {
      // pending work, most likely on the database, would keep the process alive
      if (!(await service.drain())) process.exit(1)
    })
    log.info({ url: service.url, role: config.role }, `Posthorn listens on ${service.url}`)
    // with port 0, nothing else shows the port
    if (config.port === 0 && !log.isLevelEnabled('info')) {
      printLine(`Posthorn listens on ${service.url}`)
    }
    if (service.adminTokenPath !== null) {
      log.info({ path: service.adminTokenPath }, `the operator token is in ${service.adminTokenPath}`)
    }
    compiled?.written()
    // for people, so it goes to standard error and not into the log
    if (isFirst && !input.flag('json')) process.stderr.write(`${firstSteps(service, config)}\n`)
    const reason = await Promise.race([asked, service.lost])
    log.info({ reason }, 'draining: finishing attempts in flight')
  } catch (error) {
    log.debug({ err: error }, 'the service ended')
    throw new CommandError('service_failed', describeFailure(error), { cause: error })
  }
}

/** Imported here because both are slow to load. */
async function openerOf({ role }: Config): Promise<typeof openService> {
  return role === 'front'
    ? (await import('../front/open-front.ts')).openFront
    : (await import('../service.ts')).openService
}

/** Imported only if it is on, because nobody else should wait for the SDK or keep it in memory. */
async function openTelemetryOf({ signals }: Config): Promise<Telemetry | null> {
  if (signals === null) return null
  const { openTelemetry } = await import('../telemetry/open-telemetry.ts')
  return openTelemetry(signals, { clock: systemClock, version: packageVersion() })
}

async function openLog(
  config: Config,
  warnings: readonly string[],
  process?: number,
  telemetry: Telemetry | null = null,
): Promise<Log> {
  const { createLog } = await import('../log.ts')
  const log = createLog(config.logLevel, process, telemetry?.logLines)
  for (const warning of warnings) log.warn(warning)
  return log
}

/** posthorn migrate may have created the database already, so the file admin-token decides if there is one. */
function madeByFirstStart({ adminToken }: Config): string {
  return adminToken === null ? 'admin-token' : 'database'
}

function readSettings(): { config: Config; warnings: string[] } {
  try {
    return readConfig()
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    throw new CommandError('setting_invalid', error.message, { cause: error })
  }
}

/**
 * Caches compiled code in the data directory for faster starts. The system's temporary folder is not safe, because Node
 * runs this code. Call `written` when everything is loaded, so that the cache survives a killed process.
 */
function keepCompiled(dataDir: string): { written: () => void } {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  } catch {
    // the code that needs the directory reports the error
    return { written: () => {} }
  }
  enableCompileCache(join(dataDir, 'compiled'))
  return { written: flushCompileCache }
}
