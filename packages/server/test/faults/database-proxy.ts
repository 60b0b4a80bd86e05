import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A TCP proxy for PostgreSQL that simulates network faults. */
export interface DatabaseProxy extends AsyncDisposable {
  /** The URL of `databaseUrl`'s database through this proxy. */
  url(databaseUrl: string): string
  /** Resets every connection. New ones are accepted. */
  cut(): void
  /** Resets every connection and accepts no new one until `back`. */
  goAway(): void
  /** Forwards nothing in either direction and closes nothing, until `back`. */
  stall(): void
  /** Delays every reply of the server until `back`. */
  slowDown(delayMs: number): void
  /** After the next request that `matches`, drops the reply and resets the connection. The server has executed the request. */
  cutReplyAfter(matches: Matches): Promise<void>
  /** Holds back the reply to the next request that `matches`, and everything after it. Resolves when the server has replied. */
  holdReplyAfter(matches: Matches): Promise<void>
  /** Holds back the next request that `matches` and everything after it on its connection. Nothing is closed. */
  holdRequest(matches: Matches): Promise<void>
  back(): void
}

/** Decides about the bytes that a connection sends. `connection` is the same object for all requests of a connection. */
export type Matches = (request: Buffer, connection: object) => boolean

interface Pair {
  client: Socket
  server: Socket
}

interface Wanted {
  matches: Matches
  done: () => void
}

/** Starts a proxy to the server that listens on the Unix socket in `databaseUrl`. */
export async function startDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const pairs = new Set<Pair>()
  let state: 'open' | 'away' | 'stalled' = 'open'
  let delayMs = 0
  let cutAfter: Wanted | undefined
  let holdAfter: Wanted | undefined
  const wanted = new Set<Wanted>()
  const socketPath = `${decodeURIComponent(new URL(databaseUrl).hostname)}/.s.PGSQL.5432`

  const listener = createServer(client => {
    if (state === 'away') {
      client.resetAndDestroy()
      return
    }
    const server = connect(socketPath)
    const pair: Pair = { client, server }
    let isDoomed = false
    let isHeld = false
    let replyHeld: (() => void) | undefined
    pairs.add(pair)
    if (state === 'stalled') halt(pair)
    client.on('data', (bytes: Buffer) => {
      if (cutAfter?.matches(bytes, pair) === true) {
        isDoomed = true
        cutAfter.done()
        cutAfter = undefined
      }
      if (holdAfter?.matches(bytes, pair) === true) {
        replyHeld = holdAfter.done
        holdAfter = undefined
      }
      for (const one of wanted) {
        if (!one.matches(bytes, pair)) continue
        isHeld = true
        wanted.delete(one)
        one.done()
      }
      if (!isHeld) server.write(bytes)
    })
    server.on('data', (bytes: Buffer) => {
      if (isDoomed) end(pair)
      else if (replyHeld !== undefined) replyHeld()
      else if (delayMs === 0) client.write(bytes)
      else setTimeout(() => client.write(bytes), delayMs)
    })
    for (const socket of [client, server]) {
      socket.on('error', () => end(pair))
      socket.on('close', () => end(pair))
    }
  })

  function end(pair: Pair): void {
    pairs.delete(pair)
    pair.client.resetAndDestroy()
    pair.server.destroy()
  }

  function halt({ client, server }: Pair): void {
    client.pause()
    server.pause()
  }

  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const { port } = listener.address() as AddressInfo
  const cut = (): void => {
    for (const pair of pairs) end(pair)
  }
  return {
    url: target => {
      const through = new URL(target)
      through.host = `127.0.0.1:${port}`
      return through.href
    },
    cut,
    goAway: () => {
      state = 'away'
      cut()
    },
    stall: () => {
      state = 'stalled'
      for (const pair of pairs) halt(pair)
    },
    slowDown: ms => {
      delayMs = ms
    },
    cutReplyAfter: async matches =>
      await new Promise(done => {
        cutAfter = { matches, done }
      }),
    holdReplyAfter: async matches =>
      await new Promise(done => {
        holdAfter = { matches, done }
      }),
    holdRequest: async matches =>
      await new Promise(done => {
        wanted.add({ matches, done })
      }),
    back: () => {
      state = 'open'
      delayMs = 0
      for (const { client, server } of pairs) {
        client.resume()
        server.resume()
      }
    },
    [Symbol.asyncDispose]: async () => {
      cut()
      listener.close()
      await once(listener, 'close')
    },
  }
}
