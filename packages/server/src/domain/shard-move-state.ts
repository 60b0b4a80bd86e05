/** What decides whether a server may take over a shard. */
export interface ServerState {
  /** Its name in messages: `host:port`. */
  readonly name: string
  readonly systemId: string
  /** It is in recovery: it follows another server, and nothing can write to it. */
  readonly isStandby: boolean
  /** `default_transaction_read_only` is on. */
  readonly isReadOnly: boolean
}

/**
 * How far the move of a shard from one server to the other is: `moved`, or `waiting` if the target is still a standby.
 * @throws Error if the two servers cannot be source and target, with what to do about it
 */
export function shardMoveState(source: ServerState, target: ServerState): 'waiting' | 'moved' {
  const howTo = 'make it with pg_basebackup -R, as docs/run/move-shards.md describes'
  if (!target.isStandby && !source.isStandby && !source.isReadOnly) {
    throw new Error(`${target.name} is not a standby of ${source.name}: ${howTo}`)
  }
  if (source.systemId !== target.systemId) {
    throw new Error(`${target.name} belongs to another database cluster than ${source.name}: ${howTo}`)
  }
  if (target.isStandby && source.isStandby) {
    throw new Error(`${source.name} and ${target.name} are both standbys: name the primary instead of one`)
  }
  if (target.isReadOnly && source.isStandby) {
    throw new Error(
      `${target.name} refuses writes, as if its move to ${source.name} had begun: finish that with --to ${source.name}, or undo it with --to ${source.name} --cancel`,
    )
  }
  if (target.isReadOnly) {
    throw new Error(
      `${target.name} has default_transaction_read_only = on: run "alter system reset default_transaction_read_only" and "select pg_reload_conf()" there`,
    )
  }
  return target.isStandby ? 'waiting' : 'moved'
}
