import { buffer } from 'node:stream/consumers'
import { served, type StartExample } from '../served.ts'
import { createHandler } from './receiver.ts'

/** Calls the function like API Gateway: each request becomes an HTTP API event in format 2.0. */
export const start: StartExample = async ({ secret, port, onProcessed }) => {
  const handler = createHandler(secret, event => onProcessed(event.id))
  return await served((request, response) => {
    void buffer(request)
      .then(body =>
        handler({
          requestContext: { http: { method: request.method ?? '' } },
          headers: Object.fromEntries(
            Object.entries(request.headersDistinct).map(([name, values]) => [name, values?.join(',')]),
          ),
          body: body.toString('base64'),
          isBase64Encoded: true,
        }),
      )
      .then(answer => response.writeHead(answer.statusCode, answer.headers).end(answer.body))
  }, port)
}
