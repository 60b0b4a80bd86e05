import { readShardDatabases } from '../../config.ts'
import type { ShardMove } from '../../shard-moves/shard-servers.ts'
import type { Command, Report } from '../command.ts'
import { CommandError, UsageError } from '../command-error.ts'
import type { CommandInput } from '../command-input.ts'
import { describeFailure } from '../describe-failure.ts'
import { pause } from '../pause.ts'
import { printError } from '../print.ts'
import { progressBar } from '../progress-bar.ts'

export const shardsMove: Command = {
  name: 'shards move',
  summary: 'Move a shard to another PostgreSQL server',
  about: [
    'The other server must be a standby of the present one (pg_basebackup -R). The command stops writes on the old server,',
    'waits until the standby has everything, and promotes it. The shard stands still for about a second. If you stop the',
    'command, run it again: it continues where it stopped. The old server stays read-only, also after a restart.',
    'POSTHORN_SHARD_DATABASES must name both servers (1=postgres://…@old:5432,new:5432/…) with a superuser, and so must',
    'DATABASE_URL of the processes of this shard. See docs/run/move-shards.md.',
  ].join('\n'),
  operands: [{ name: 'shard', meaning: 'The number of the shard, as in POSTHORN_SHARD_DATABASES.' }],
  options: {
    to: { value: 'host', meaning: 'The new server (host or host:port), as in POSTHORN_SHARD_DATABASES.' },
    'dry-run': {
      meaning: 'Only check whether the shard can be moved, and say how far the standby is behind.',
    },
    cancel: { meaning: 'Let the old server accept writes again, if the new one was not promoted yet.' },
  },
  examples: [
    'posthorn shards move 1 --to db3 --dry-run',
    'posthorn shards move 1 --to db3:5432',
    'posthorn shards move 1 --to db3 --cancel --json',
  ],
  async run(input) {
    const number = input.operand('shard')
    if (!/^\d{1,3}$/.test(number)) throw new UsageError('<shard> must be a number from 0 to 999')
    const to = input.required('to')
    try {
      const address = readShardDatabases().find(one => one.number === Number(number))
      if (address === undefined) throw new Error(`POSTHORN_SHARD_DATABASES does not name shard ${number}`)
      // imported here because the driver is slow to load
      const { openShardServers } = await import('../../shard-moves/shard-servers.ts')
      const wait = async (ms: number): Promise<void> => await pause(ms, new AbortController().signal)
      await using servers = await openShardServers(address, to, wait)
      if (input.flag('cancel')) return await cancel(servers.move)
      return input.flag('dry-run') ? await plan(servers.move) : await carryOut(input, servers.move)
    } catch (error) {
      throw new CommandError('move_failed', describeFailure(error), { cause: error })
    }
  },
}

function namesOf({ number, source, target }: ShardMove) {
  return { shard: number, from: source.name, to: target.name }
}

async function plan(move: ShardMove): Promise<Report> {
  const [{ checkShardMove }, { bytesBehind }, { readShardMove }] = await Promise.all([
    import('../../shard-moves/check-shard-move.ts'),
    import('../../shard-moves/replay.ts'),
    import('../../shard-moves/read-server.ts'),
  ])
  if ((await readShardMove(move)) === 'moved') return moved(move, null)
  await checkShardMove(move)
  const bytes = await bytesBehind(move)
  return {
    exitCode: 0,
    json: { ...namesOf(move), bytes_behind: bytes, moved: false },
    text: `Shard ${move.number} can be moved from ${move.source.name} to ${move.target.name}, which is ${bytes} bytes behind.`,
  }
}

async function carryOut(input: CommandInput, move: ShardMove): Promise<Report> {
  const { moveShard } = await import('../../shard-moves/move-shard.ts')
  const isQuiet = input.flag('json')
  const bar = isQuiet ? null : progressBar(process.stderr, ' bytes of the log')
  const { stoodStillMs } = await moveShard(move, {
    nowMs: () => Date.now(),
    onProgress: ({ bytesBehind, bytesBehindMax, isComplete }) => {
      bar?.show(bytesBehindMax - bytesBehind, bytesBehindMax)
      if (isComplete) bar?.end()
    },
    onStep: step => {
      if (!isQuiet) printError(`${step} …`)
    },
  })
  return moved(move, stoodStillMs)
}

function moved(move: ShardMove, stoodStillMs: number | null): Report {
  const { number, source, target } = move
  const text =
    stoodStillMs === null
      ? `Shard ${number} is on ${target.name} already.`
      : `Moved shard ${number} from ${source.name} to ${target.name}. It stood still for ${(stoodStillMs / 1_000).toFixed(1)} s.`
  return { exitCode: 0, json: { ...namesOf(move), moved: true, stood_still_ms: stoodStillMs }, text }
}

async function cancel(move: ShardMove): Promise<Report> {
  const { cancelShardMove } = await import('../../shard-moves/cancel-shard-move.ts')
  await cancelShardMove(move)
  return {
    exitCode: 0,
    json: { ...namesOf(move), moved: false, cancelled: true },
    text: `Undid the move. Shard ${move.number} stays on ${move.source.name}, which accepts writes again.`,
  }
}
