import type { DedupeStore } from './process-once.ts'

/** A client of `redis` (`sendCommand`) or of `ioredis` (`call`). */
export type RedisClient =
  | { call(command: string, ...args: string[]): Promise<unknown> }
  | { sendCommand(args: string[]): Promise<unknown> }

// Checks and deletes in one step, because another process could complete the id in between.
const RELEASE = `local held = redis.call('get', KEYS[1])
if held and string.sub(held, 1, 7) == 'claimed' then return redis.call('del', KEYS[1]) end
return 0`

/**
 * Remembers events in Redis, which removes them when they expire.
 *
 * @example
 * import { createClient } from 'redis'
 *
 * const store = redisStore(await createClient().connect())
 */
export function redisStore(client: RedisClient, options: { prefix?: string } = {}): DedupeStore {
  const { prefix = 'posthorn:' } = options
  const send = async (command: string, ...args: string[]): Promise<unknown> =>
    // ioredis also has a `sendCommand`, but with other arguments.
    'call' in client ? await client.call(command, ...args) : await client.sendCommand([command, ...args])

  return {
    async claim(id, leaseMs, digest) {
      const taken = await send('SET', prefix + id, valueOf('claimed', digest), 'NX', 'PX', String(leaseMs))
      if (taken !== null) return 'claimed'
      return String(await send('GET', prefix + id)).startsWith('done') ? 'done' : 'in_progress'
    },
    async complete(id, ttlMs, digest) {
      await send('SET', prefix + id, valueOf('done', digest), 'PX', String(ttlMs))
    },
    async release(id) {
      await send('EVAL', RELEASE, '1', prefix + id)
    },
    async digestOf(id) {
      return String(await send('GET', prefix + id)).split(':')[1]
    },
  }
}

/** For example `done`, or `done:` with the digest. */
function valueOf(state: 'claimed' | 'done', digest: string | undefined): string {
  return digest === undefined ? state : `${state}:${digest}`
}
