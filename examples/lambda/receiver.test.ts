import { describeExample } from '../receiver-suite.ts'
import { createHandler } from './receiver.ts'

describeExample('Lambda', async secret => {
  const processed: string[] = []
  const handler = createHandler(secret, event => processed.push(event.id))
  return {
    processed,
    // The event of an HTTP API, version 2.0 of its format.
    async send(request) {
      const { statusCode, headers, body } = await handler({
        requestContext: { http: { method: request.method } },
        headers: Object.fromEntries(request.headers),
        body: Buffer.from(await request.arrayBuffer()).toString('base64'),
        isBase64Encoded: true,
      })
      return new Response(body, { status: statusCode, headers })
    },
  }
})
