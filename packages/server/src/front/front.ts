import type { Clock, Random } from '../context.ts'
import type { Log } from '../log.ts'
import type { Directory } from './directory.ts'
import type { FrontCaller } from './front-caller.ts'
import type { HeldBytes } from './held-bytes.ts'
import type { Shard } from './shard.ts'

/** What the handlers of a front share. */
export interface Front {
  /** By number. */
  readonly shards: ReadonlyMap<number, Shard>
  readonly directory: Directory
  readonly operatorToken: string
  readonly readCaller: (request: { headers: Record<string, string | string[] | undefined> }) => FrontCaller
  /** The bytes of requests that are kept to be sent again. */
  readonly held: HeldBytes
  readonly publicUrl: () => string
  readonly clock: Clock
  readonly random: Random
  /** Resolves after `ms` milliseconds. */
  readonly wait: (ms: number) => Promise<void>
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>
}
