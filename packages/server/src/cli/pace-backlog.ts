import type { Command } from './command.ts'
import { backlogJson, describeBacklog } from './describe-backlog.ts'
import { withOwnDatabase } from './own-database.ts'

export const paceBacklogCommand: Command = {
  name: 'pace-backlog',
  summary: 'Limit the rate of the deliveries that are due, after a restore',
  about: [
    'Each endpoint then receives its due deliveries at the rate in POSTHORN_DRAIN_PER_SECOND, not all at once. Run it',
    'after you restore a PostgreSQL server and before you start the service: events that were delivered after the backup',
    'are due again. posthorn restore does this for the embedded database.',
    'Works on the PostgreSQL server in DATABASE_URL at any time, or on the data directory (POSTHORN_DATA_DIR). Stop the',
    'service first if it uses the data directory.',
  ].join('\n'),
  examples: ['DATABASE_URL=postgres://posthorn@db/posthorn posthorn pace-backlog'],
  async run() {
    const backlog = await withOwnDatabase('pace_backlog_failed', async database => {
      const { paceBacklog } = await import('../maintenance/pace-backlog.ts')
      return await paceBacklog(database)
    })
    return { exitCode: 0, json: backlogJson(backlog), text: describeBacklog(backlog) }
  },
}
