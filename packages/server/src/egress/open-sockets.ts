import type { Socket } from 'node:net'

/** Every socket from the moment it is made until it is closed, so that none is forgotten. */
export class OpenSockets {
  readonly #sockets = new Set<Socket>()
  #whenNone: (() => void) | null = null

  get size(): number {
    return this.#sockets.size
  }

  add(socket: Socket): void {
    this.#sockets.add(socket)
    socket.once('close', () => {
      this.#sockets.delete(socket)
      if (this.#sockets.size === 0) this.#whenNone?.()
    })
  }

  /** Closes all of them and waits until they are. */
  async destroyAll(): Promise<void> {
    if (this.#sockets.size === 0) return
    const none = Promise.withResolvers<void>()
    this.#whenNone = none.resolve
    for (const socket of this.#sockets) socket.destroy()
    await none.promise
  }
}
