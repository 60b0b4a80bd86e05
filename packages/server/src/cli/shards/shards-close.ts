import { askShard } from '../../shards/ask-shard.ts'
import { directoryPage, shardState } from '../../shards/internal-api.ts'
import type { Command } from '../command.ts'
import { CommandError } from '../command-error.ts'
import { shardNamed, shardOperand, shardsNote, withShards } from './with-shards.ts'

export const shardsClose: Command = {
  name: 'shards close',
  summary: 'Give a shard no new accounts',
  about: [
    'Its accounts stay and work as before. Move them with posthorn accounts move, or open the shard again with',
    'posthorn shards add.',
    shardsNote,
  ].join('\n'),
  operands: [shardOperand],
  examples: ['posthorn shards close 1'],
  async run(input) {
    return await withShards(async shards => {
      const { number } = shardNamed(shards, input.operand('shard'))
      const { shards: known } = await askShard(
        shards.zero,
        { method: 'GET', path: '/directory?after=9007199254740991' },
        directoryPage,
      )
      if (!known.some(shard => shard.number === number)) {
        throw new CommandError('shard_unknown', `the directory has no shard ${number}`)
      }
      const state = { number, state: 'closed' } as const
      await askShard(shards.zero, { method: 'POST', path: '/shards', body: state }, shardState)
      return { exitCode: 0, json: state, text: `Shard ${number} is closed for new accounts.` }
    })
  },
}
