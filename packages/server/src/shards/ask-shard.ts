import { json } from 'node:stream/consumers'
import type * as z from 'zod'
import { refusalHere } from './internal-api.ts'
import type { ShardClient } from './shard-client.ts'
import { ShardUnavailable } from './shard-unavailable.ts'

/** A shard understood the request and refuses it. */
export class ShardRefusal extends Error {
  override readonly name = 'ShardRefusal'
  readonly code: string

  constructor(code: string, detail: string) {
    super(detail)
    this.code = code
  }
}

export interface Question {
  readonly method: 'GET' | 'POST'
  /** Below `/internal`. */
  readonly path: string
  readonly body?: object
  readonly acceptsAnyShard?: boolean
  /** How long the answer may take. */
  readonly msMax?: number
}

const answerMsMax = 30_000

/**
 * Asks a shard through its internal routes.
 * @throws ShardRefusal, ShardUnavailable
 */
export async function askShard<Schema extends z.ZodType>(
  client: Pick<ShardClient, 'number' | 'url' | 'send'>,
  { method, path, body, acceptsAnyShard = false, msMax = answerMsMax }: Question,
  schema: Schema,
): Promise<z.output<Schema>> {
  const answer = await client.send({
    method,
    path: `/internal${path}`,
    acceptsAnyShard,
    ...(body !== undefined && { body: Buffer.from(JSON.stringify(body)) }),
    signal: AbortSignal.timeout(msMax),
  })
  const content: unknown = await json(answer.body).catch((error: unknown) => {
    throw new ShardUnavailable(client, 'its answer broke off', { mayHaveArrived: true, cause: error })
  })
  if (answer.status === 409) {
    const { code, detail } = refusalHere.parse(content)
    throw new ShardRefusal(code, detail)
  }
  if (answer.status >= 300) {
    const { code, detail = '' } = refusalHere.safeParse(content).data ?? {}
    // the advice of this answer is for reporters
    const reason =
      code === 'database_unavailable'
        ? 'its database does not answer'
        : `it answered ${answer.status}: ${detail}`
    throw new ShardUnavailable(client, reason, { mayHaveArrived: true })
  }
  return schema.parse(content)
}
