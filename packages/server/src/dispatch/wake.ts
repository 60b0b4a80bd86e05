import type { Database } from '../db/database.ts'

const channel = 'posthorn_due'
/** Notifications inside small transactions halved their rate; one of its own every so often costs nothing. */
const notifyEveryMs = 20

/**
 * Tells every process that deliveries are due which nobody holds. A hint, sent after the commit: who misses it finds
 * the work by its poll.
 */
export class Wake {
  readonly #db: Database
  readonly #processId: string
  #timer: NodeJS.Timeout | undefined
  #sendsAll = false
  #onWake: (all: boolean) => void = () => {}

  constructor(db: Database, processId: string) {
    this.#db = db
    this.#processId = processId
  }

  /** Wakes this process at once, and the others soon: what is due may have been due before. */
  send(): void {
    this.#onWake(true)
    this.sendToOthers(true)
  }

  /** @param all what is due may have been due before; otherwise it became due now */
  sendToOthers(all: boolean): void {
    this.#sendsAll ||= all
    if (this.#db.kind === 'embedded' || this.#timer !== undefined) return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      const payload = `${this.#processId} ${this.#sendsAll ? 'all' : 'new'}`
      this.#sendsAll = false
      this.#db.query('select pg_notify($1, $2)', [channel, payload]).catch(() => {})
    }, notifyEveryMs)
    this.#timer.unref()
  }

  /** Calls `onWake` for this process's own wake-ups and for those of others. */
  async listen(onWake: (all: boolean) => void): Promise<AsyncDisposable> {
    this.#onWake = onWake
    const listening = await this.#db.listen(channel, payload => {
      const [sender, what] = payload.split(' ')
      if (sender !== this.#processId) onWake(what !== 'new')
    })
    return {
      [Symbol.asyncDispose]: async () => {
        this.#onWake = () => {}
        clearTimeout(this.#timer)
        await listening[Symbol.asyncDispose]()
      },
    }
  }
}
