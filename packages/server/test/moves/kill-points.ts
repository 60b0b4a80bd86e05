import { startDatabaseProxy } from '../faults/database-proxy.ts'
import { killCommand } from '../support/kill-command.ts'
import type { TwoShards } from './two-shards.ts'

/** A statement of the command, and the shard that it is sent to. The command is killed when it sends it, and it does not arrive. */
export interface KillPoint {
  before: string
  shard: 0 | 1
  statement: RegExp
  /** The first time that it is sent, or a later one. */
  occurrence: number
  /** Whether the move can still be undone. */
  isUndoable: boolean
}

/** Every change of a move from shard 0 to shard 1, in this order. */
export const killPoints: readonly KillPoint[] = [
  point('the move is stored', 0, /insert into account_move/, true),
  point('the publication', 0, /create publication/, true),
  point('the subscription', 1, /create subscription/, true),
  point('the step stopping', 0, /\{"?copying"?\}[^]{4}stopping/, true),
  point('the directory says moving', 0, /update placement/, true),
  point('the account is taken away', 0, /with taken as/, true),
  point('its endpoints are stopped', 0, /set status = 'moving'/, true),
  point('the step stopped', 0, /\{"?stopping"?\}[^]{4}stopped/, true),
  point('the end of the subscription', 1, /drop subscription/, true),
  point('the first row is handed over', 1, /\{"?stopped"?\}[^]{4}arrived/, true),
  point('the account row is inserted', 1, /insert into account select/, true),
  point('the commit on the other shard', 1, /^Q[^]{4}commit\0/, true),
  point('the directory names the other shard', 0, /update placement/, false, 2),
  point('the step handed over', 0, /\{"?stopped"?\}[^]{4}handed_over/, false),
  point('the end of the publication', 0, /drop publication/, false),
  point('the statistics', 1, /delete from account_move/, false),
  point('the step left', 0, /\{"?handed_over"?\}[^]{4}left/, false),
]

export function killPointNamed(before: string): KillPoint {
  const found = killPoints.find(one => one.before === before)
  if (found === undefined) throw new Error(`there is no kill point before ${before}`)
  return found
}

function point(
  before: string,
  shard: 0 | 1,
  statement: RegExp,
  isUndoable: boolean,
  occurrence = 1,
): KillPoint {
  return { before, shard, statement, isUndoable, occurrence }
}

/** Runs the command and kills it with SIGKILL before the statement reaches the database. */
export async function killAt(
  shards: TwoShards,
  args: readonly string[],
  { shard, statement, occurrence }: KillPoint,
): Promise<void> {
  await using proxy = await startDatabaseProxy(shards.urls[shard])
  let seen = 0
  const isHeld = proxy.holdRequest(request => {
    if (statement.test(request.toString('latin1'))) seen++
    return seen === occurrence
  })
  const env = shards.environment({ [shard]: proxy.url(shards.urls[shard]) })
  await killCommand(args, env, isHeld)
}
