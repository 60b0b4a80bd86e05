import type { Command } from './command.ts'
import { backlogJson, describeBacklog } from './describe-backlog.ts'
import { withOwnDatabase } from './own-database.ts'

export const paceBacklogCommand: Command = {
  name: 'pace-backlog',
  summary: 'Send what is due now slowly, as after a restore',
  about: [
    'Marks each endpoint that has deliveries due, so that it gets them at POSTHORN_DRAIN_PER_SECOND, not all at once.',
    'Run it after a PostgreSQL was restored, before the service is started: what its backup calls waiting may have been',
    'delivered since, and goes out again. posthorn restore does the same. Works on the server that DATABASE_URL names, at',
    'any time, or on the data directory (POSTHORN_DATA_DIR), which no running service may hold.',
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
