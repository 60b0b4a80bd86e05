import type { DedupeStore } from './process-once.ts'

/** A client of `redis` (`sendCommand`) or of `ioredis` (`call`). */
export type RedisClient =
  | { call(command: string, ...args: string[]): Promise<unknown> }
  | { sendCommand(args: string[]): Promise<unknown> }

// Looked at and deleted in one step: between two, another process could have completed the id.
const RELEASE = `if redis.call('get', KEYS[1]) == 'claimed' then return redis.call('del', KEYS[1]) end return 0`

/**
 * Remembers events in Redis, which forgets them by itself when their time is over.
 *
 * @example
 * const store = redisStore(await createClient().connect())
 */
export function redisStore(client: RedisClient, options: { prefix?: string } = {}): DedupeStore {
  const { prefix = 'posthorn:' } = options
  const send = async (command: string, ...args: string[]): Promise<unknown> =>
    // ioredis has a sendCommand too, of another kind.
    'call' in client ? await client.call(command, ...args) : await client.sendCommand([command, ...args])

  return {
    async claim(id, leaseMs) {
      const taken = await send('SET', prefix + id, 'claimed', 'NX', 'PX', String(leaseMs))
      if (taken !== null) return 'claimed'
      return String(await send('GET', prefix + id)) === 'done' ? 'done' : 'in_progress'
    },
    async complete(id, ttlMs) {
      await send('SET', prefix + id, 'done', 'PX', String(ttlMs))
    },
    async release(id) {
      await send('EVAL', RELEASE, '1', prefix + id)
    },
  }
}
