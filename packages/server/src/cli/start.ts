import { ConfigError, readConfig } from '../config.ts'
import { DataDirectoryInUseError } from '../db/data-directory-lock.ts'
import { createLog } from '../log.ts'
import { openService } from '../service.ts'

/**
 * `posthorn start`: runs the service until SIGTERM or SIGINT, then drains. Resolves with the exit code: 0 after a
 * drain, 1 when it could not start or lost its database.
 */
export async function start(): Promise<number> {
  try {
    const { config, warnings } = readConfig()
    const log = createLog(config.logLevel)
    for (const warning of warnings) log.warn(warning)
    const asked = signalled()
    await using service = await openService(config, log)
    log.info({ url: service.url, role: config.role }, `Posthorn listens on ${service.url}`)
    if (service.adminTokenPath !== null) {
      log.info({ path: service.adminTokenPath }, `the operator's token is in ${service.adminTokenPath}`)
    }
    const signal = await Promise.race([asked, service.lost])
    log.info({ signal }, 'draining: finishing what is under way')
    return 0
  } catch (error) {
    if (!(error instanceof ConfigError || error instanceof DataDirectoryInUseError)) throw error
    process.stderr.write(`posthorn: ${error.message}\n`)
    return 1
  }
}

/** Resolves with the first signal that asks the process to stop; a second one ends it at once. */
async function signalled(): Promise<NodeJS.Signals> {
  return await new Promise(resolve => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.once(signal, () => {
        process.once(signal, () => process.exit(1))
        resolve(signal)
      })
    }
  })
}
