import type { Database } from '../db/database.ts'

const channel = 'posthorn_due'
/** Notifications share one statement, because NOTIFY would slow down small transactions. */
const notifyEveryMs = 20

/** Tells every process that deliveries are due. The notification is a hint, sent after the commit; each process also polls. */
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

  /** Wakes this process at once and the others soon: something is due, and may have been due earlier. */
  send(): void {
    this.#onWake(true)
    this.sendToOthers(true)
  }

  /** @param all whether some of it may have been due earlier; otherwise it became due now */
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

  /** Calls `onWake` for the wake-ups of this process and of the others. */
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
