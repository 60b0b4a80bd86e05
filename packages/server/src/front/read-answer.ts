import type * as z from 'zod'
import { json } from 'node:stream/consumers'
import type { ShardAnswer } from '../shards/shard-client.ts'

/**
 * Reads the JSON that a shard answered to the front itself.
 * @throws Error if the answer is not 200 or has another form
 */
export async function readAnswer<Schema extends z.ZodType>(
  { status, body }: ShardAnswer,
  schema: Schema,
): Promise<z.output<Schema>> {
  const answer = await json(body)
  if (status !== 200) throw new Error(`the shard answered ${status}: ${JSON.stringify(answer)}`)
  return schema.parse(answer)
}
