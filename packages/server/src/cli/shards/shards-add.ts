import { askShard } from '../../shards/ask-shard.ts'
import { shardDescription, shardState } from '../../shards/internal-api.ts'
import type { ShardClient } from '../../shards/shard-client.ts'
import type { Command } from '../command.ts'
import { CommandError } from '../command-error.ts'
import { shardNamed, shardOperand, type Shards, shardsNote, withShards } from './with-shards.ts'

export const shardsAdd: Command = {
  name: 'shards add',
  summary: 'Add a shard to the installation, or open a closed one',
  about: [
    'Start the processes of the new shard on an empty database first, and add its URL to POSTHORN_SHARDS here. This',
    'command makes the database join the installation, and from then on it gets new accounts. Then add the shard to',
    'POSTHORN_SHARDS of the fronts and restart them. You can repeat the command.',
    shardsNote,
  ].join('\n'),
  operands: [shardOperand],
  examples: ['POSTHORN_SHARDS=0=http://10.0.0.1:4100,1=http://10.0.0.2:4100 posthorn shards add 1'],
  async run(input) {
    const number = input.operand('shard')
    return await withShards(async shards => {
      const shard = shardNamed(shards, number)
      // shard 0 belongs to its installation from the start
      if (shard !== shards.zero) await join(shards, shard)
      // only now, so that no front places an account on a shard that has not joined
      const state = { number: shard.number, state: 'open' } as const
      await askShard(shards.zero, { method: 'POST', path: '/shards', body: state }, shardState)
      return {
        exitCode: 0,
        json: state,
        text: `Shard ${shard.number} gets new accounts. Fronts need it in POSTHORN_SHARDS: add it if it is new, and restart them.`,
      }
    })
  },
}

/** Makes the database of the shard join the installation. Does nothing if it has joined before. */
async function join({ zero }: Shards, shard: ShardClient): Promise<void> {
  const first = await askShard(zero, { method: 'GET', path: '/shard' }, shardDescription)
  const question = { method: 'GET', path: '/shard', acceptsAnyShard: true } as const
  const { schema } = await askShard(shard, question, shardDescription)
  if (schema !== first.schema) {
    throw new CommandError(
      'schema_differs',
      `shard ${shard.number} has schema version ${schema}, but shard 0 has ${first.schema}: run the same release on both`,
    )
  }
  const body = { installation_id: first.installation_id, shard: shard.number }
  await askShard(shard, { ...question, method: 'POST', path: '/join', body }, shardDescription)
}
