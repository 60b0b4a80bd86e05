import { startDatabaseProxy } from '../faults/database-proxy.ts'
import { killCommand } from '../support/kill-command.ts'
import type { MovedPair } from './moved-pair.ts'

/** A statement of the command, and the server that it is sent to. The command is killed when it sends it, and it does not arrive. */
export interface KillPoint {
  before: string
  server: 'primary' | 'standby'
  statement: RegExp
  /** How many servers accept writes then. */
  writable: 0 | 1
  /** Whether the fence is in the old server's file then. */
  isFenced: boolean
}

/** Every change of a move, in this order. */
export const killPoints: readonly KillPoint[] = [
  { before: 'the fence', server: 'primary', statement: /alter system set/, writable: 1, isFenced: false },
  { before: 'the reload', server: 'primary', statement: /pg_reload_conf/, writable: 1, isFenced: true },
  {
    before: 'the end of sessions',
    server: 'primary',
    statement: /pg_terminate/,
    writable: 0,
    isFenced: true,
  },
  { before: 'the last position', server: 'primary', statement: /pg_switch_wal/, writable: 0, isFenced: true },
  { before: 'the wait', server: 'standby', statement: />= \$1::pg_lsn/, writable: 0, isFenced: true },
  { before: 'the promotion', server: 'standby', statement: /pg_promote/, writable: 0, isFenced: true },
]

export function killPointNamed(before: string): KillPoint {
  const found = killPoints.find(one => one.before === before)
  if (found === undefined) throw new Error(`there is no kill point before ${before}`)
  return found
}

/** Runs the command and kills it with SIGKILL before the statement reaches the server. */
export async function killAt(moved: MovedPair, { server, statement }: KillPoint): Promise<void> {
  const { pair } = moved
  await using proxy = await startDatabaseProxy(pair[server].url('posthorn'))
  const isHeld = proxy.holdRequest(request => statement.test(request.toString('latin1')))
  const through = (one: 'primary' | 'standby'): string => {
    const url = pair[one].url('posthorn')
    return one === server ? proxy.url(url) : url
  }
  const to = server === 'standby' ? new URL(through('standby')).host : moved.nameOf(pair.standby)
  const env = moved.environment([through('primary'), through('standby')])
  await killCommand(['shards', 'move', '0', '--to', to], env, isHeld)
}
