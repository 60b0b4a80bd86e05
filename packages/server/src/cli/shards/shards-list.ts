import { askShard } from '../../shards/ask-shard.ts'
import { type ShardDescription, shardDescription } from '../../shards/internal-api.ts'
import type { ShardClient } from '../../shards/shard-client.ts'
import { ShardUnavailable } from '../../shards/shard-unavailable.ts'
import type { Command } from '../command.ts'
import { table } from '../table.ts'
import { readWholeDirectory } from './read-whole-directory.ts'
import { shardsNote, withShards } from './with-shards.ts'

export const shardsList: Command = {
  name: 'shards list',
  summary: 'List the shards of the installation',
  about: `Shows each shard with its state and its number of accounts, or why it does not answer.\n${shardsNote}`,
  examples: ['posthorn shards list', 'posthorn shards list --json'],
  async run() {
    return await withShards(async ({ zero, all }) => {
      const { shards } = await readWholeDirectory(zero)
      const states = new Map(shards.map(({ number, state }) => [number, state]))
      const numbers = [...new Set([...states.keys(), ...all.keys()])].toSorted((a, b) => a - b)
      const found = await Promise.all(
        numbers.map(async number => {
          const client = all.get(number)
          const about = { number, state: states.get(number) ?? 'not added', url: client?.url ?? null }
          return { ...about, ...(client === undefined ? missing : await describe(client)) }
        }),
      )
      const rows = found.map(({ number, state, url, version, schema, accounts, problem }) => [
        String(number),
        state,
        url ?? '–',
        version ?? '–',
        String(schema ?? '–'),
        String(accounts ?? '–'),
        problem ?? '',
      ])
      const head = ['SHARD', 'STATE', 'URL', 'VERSION', 'SCHEMA', 'ACCOUNTS', 'PROBLEM']
      return { exitCode: 0, json: found, text: table([head, ...rows]) }
    })
  },
}

type Found = Partial<Pick<ShardDescription, 'version' | 'schema' | 'accounts'>> & { problem: string | null }

const missing: Found = { problem: 'not in POSTHORN_SHARDS' }

async function describe(client: ShardClient): Promise<Found> {
  try {
    const { version, schema, accounts } = await askShard(
      client,
      { method: 'GET', path: '/shard' },
      shardDescription,
    )
    return { version, schema, accounts, problem: null }
  } catch (error) {
    if (!(error instanceof ShardUnavailable)) throw error
    return { problem: error.reason }
  }
}
