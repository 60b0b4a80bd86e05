import type { WebhookEvent } from '@posthorn/receiver'
import { memoryStore, processOnce } from '@posthorn/receiver/dedupe'
import { createLambdaHandler, type LambdaRequest, type LambdaResponse } from '@posthorn/receiver/lambda'

/** A function behind API Gateway. Its instances share no memory, so use redisStore or postgresStore in production. */
export function createHandler(
  secret: string,
  processEvent: (event: WebhookEvent) => unknown,
): (request: LambdaRequest) => Promise<LambdaResponse> {
  const store = memoryStore()
  return createLambdaHandler(
    { secrets: secret, dedupe: (id, fn, seen) => processOnce(store, id, fn, seen) },
    processEvent,
  )
}
