import { type Config, ConfigError, readConfig } from '../../config.ts'
import { type Check, checksReport } from '../check.ts'
import type { Command } from '../command.ts'
import { operatorNote, operatorOptions } from '../connection.ts'
import { checkDatabase } from './check-database.ts'
import { checkDisk } from './check-disk.ts'
import { checkDns } from './check-dns.ts'
import { checkPublicUrl } from './check-public-url.ts'
import { checkService } from './check-service.ts'
import { checkVersions } from './check-versions.ts'

export const doctor: Command = {
  name: 'doctor',
  summary: 'Look for what is wrong with this machine, and say what to do',
  about: [
    'Checks settings, versions, disk, database, clock, DNS, the service and its public URL, as the service would see',
    'them: run it with the same environment. It changes nothing. Exits with 1 if something is broken. To compare the',
    `clocks it asks the running service. ${operatorNote}`,
  ].join('\n'),
  options: operatorOptions,
  examples: ['posthorn doctor', 'DATABASE_URL=postgres://posthorn@db/posthorn posthorn doctor --json'],
  async run(input) {
    const settings = readSettings()
    if (settings.config === null) return checksReport([settings.check, checkVersions()], '')
    const { config } = settings
    const found = await Promise.all([
      checkDisk(config),
      checkDatabase(config),
      checkService(input),
      checkDns(config),
      checkPublicUrl(config),
    ])
    return checksReport([settings.check, checkVersions(), ...found.flat()], 'Nothing is broken.')
  },
}

function readSettings(): { check: Check; config: Config | null } {
  const name = 'Settings'
  try {
    const { config, warnings } = readConfig()
    const set = config.inForce.filter(({ source }) => source !== 'default').length
    const [warning] = warnings
    const check: Check =
      warning === undefined
        ? { name, state: 'ok', found: `${set} set, the others have their defaults` }
        : { name, state: 'note', found: warning }
    return { check, config }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const advice = 'Correct it (docs/configuration.md); the rest was not checked'
    return { check: { name, state: 'broken', found: error.message, advice }, config: null }
  }
}
