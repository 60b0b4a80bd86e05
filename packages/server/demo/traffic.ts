import type { Client } from '@posthorn/client'
import { type DefaultEventType, type EventType, defaultEventTypes } from '@posthorn/contract'

const readers = ['ada', 'blaise', 'claude', 'dorothy', 'edsger', 'frances', 'grace', 'hedy', 'ida', 'john']
const pauseMs = 80

/** Reports outcomes one after the other, like a mail server, until stopped. */
export class Traffic {
  /** The type of every event that the service has accepted, by id. */
  readonly accepted = new Map<string, EventType>()
  readonly #client: Client
  #running: Promise<void> | undefined
  #stopped = false

  constructor(client: Client) {
    this.#client = client
  }

  /** Reports one outcome of each of the four types in one request. */
  async reportEachType(): Promise<void> {
    await this.#report(defaultEventTypes)
  }

  start(): void {
    this.#running = this.#run()
    // stop() throws the error
    this.#running.catch(() => {})
  }

  async stop(): Promise<void> {
    this.#stopped = true
    await this.#running
  }

  async #run(): Promise<void> {
    for (let index = 0; !this.#stopped; index++) {
      // mostly delivered, as mail is
      await this.#report([(index % 5 === 4 && defaultEventTypes[1 + (index % 3)]) || 'email.delivered'])
      await new Promise(resolve => setTimeout(resolve, pauseMs))
    }
  }

  async #report(types: readonly DefaultEventType[]): Promise<void> {
    const body = types.map((type, index) => {
      const number = this.accepted.size + index
      const to = [`${readers[number % readers.length]}@example.com`]
      return { type, data: { email_id: `em_demo_${number + 1}`, to } }
    })
    const { events } = await this.#client.reportOutcomes({ body })
    for (const [index, id] of events.entries()) this.accepted.set(id, types[index] ?? 'email.delivered')
  }
}
