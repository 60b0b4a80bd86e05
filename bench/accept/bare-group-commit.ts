import { plainArray } from '../../packages/server/src/db/array-literal.ts'
import type { Queryable } from '../../packages/server/src/db/database.ts'

/** Stores what arrives while a commit is under way with the next one, and does nothing else. */
export class BareGroupCommit {
  readonly #db: Queryable
  #waiting: Waiting[] = []
  #running = false

  constructor(db: Queryable) {
    this.#db = db
  }

  /** Resolves after the commit. */
  async store(id: string, body: Buffer): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#waiting.push({ id, body, resolve, reject })
      if (!this.#running) void this.#run()
    })
  }

  async count(): Promise<number> {
    const [row] = await this.#db.query<{ count: number }>('select count(*)::int as count from bare')
    return row?.count ?? 0
  }

  async #run(): Promise<void> {
    this.#running = true
    // what arrives in the same turn of the event loop belongs to the same group
    await new Promise(resolve => setImmediate(resolve))
    while (this.#waiting.length > 0) {
      const group = this.#waiting
      this.#waiting = []
      try {
        await this.#db.query(insert, values(group))
        for (const one of group) one.resolve()
      } catch (error) {
        for (const one of group) one.reject(error)
      }
    }
    this.#running = false
  }
}

interface Waiting {
  id: string
  body: Buffer
  resolve: () => void
  reject: (error: unknown) => void
}

/** The quickest way that was found to give many bodies to one statement. */
const insert = {
  name: 'bare',
  text: `insert into bare (id, body)
    select id, substring($3::bytea from body_from::int for length)
    from (
      select id, length, 1 + sum(length) over (order by n) - length as body_from
      from unnest($1::uuid[], $2::int[]) with ordinality as one (id, length, n)
    ) as input`,
}

function values(group: readonly Waiting[]): unknown[] {
  return [
    plainArray(group.map(one => one.id)),
    plainArray(group.map(one => one.body.length)),
    Buffer.concat(group.map(one => one.body)),
  ]
}
