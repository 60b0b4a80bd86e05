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
  summary: 'Find problems on this machine and say how to fix them',
  about: [
    'Checks settings, versions, disk, database, clock, DNS, the service and its public URL. Run it with the same',
    'environment variables as the service. It changes nothing. Exits with 1 if something is broken.',
    operatorNote,
  ].join('\n'),
  options: operatorOptions,
  examples: ['posthorn doctor', 'DATABASE_URL=postgres://posthorn@db/posthorn posthorn doctor --json'],
  async run(input) {
    const settings = readSettings()
    if (settings.config === null) return checksReport([settings.check, checkVersions()], '')
    const { config } = settings
    const found = await Promise.all([
      config.role === 'front' ? [] : checkDisk(config),
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
    const set = config.inForce.filter(({ source }) => source === 'environment').length
    const [warning] = warnings
    const check: Check =
      warning === undefined
        ? { name, state: 'ok', found: `${set} set, the others have default values` }
        : { name, state: 'note', found: warning }
    return { check, config }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const advice = 'Correct it (see docs/configuration.md). Nothing else was checked'
    return { check: { name, state: 'broken', found: error.message, advice }, config: null }
  }
}
