import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createVerifier, verifiedParts } from '@posthorn/receiver'

/** How a path answers: it verifies with these secrets, or gives a fixed answer. */
export type Behaviour =
  | { readonly kind: 'verifies'; readonly secrets: string[] }
  | {
      readonly kind: 'answers'
      readonly status: number
      readonly headers?: Record<string, string>
      readonly body?: string
    }

/** A customer's server on loopback; tests set and change how each path answers. */
export interface CustomerReceiver extends AsyncDisposable {
  url(path: string): string
  behave(path: string, behaviour: Behaviour): void
  /** Ids of the events that a path has acknowledged. */
  acknowledged(path: string): readonly string[]
}

export async function startCustomerReceiver(): Promise<CustomerReceiver> {
  const behaviours = new Map<string, Behaviour>()
  const acknowledged = new Map<string, string[]>()
  const answer = async (
    path: string,
    header: string,
    body: Uint8Array,
    response: ServerResponse,
  ): Promise<void> => {
    const behaviour = behaviours.get(path) ?? { kind: 'answers', status: 404 }
    if (behaviour.kind === 'answers') {
      response.writeHead(behaviour.status, behaviour.headers).end(behaviour.body)
      return
    }
    const result = await createVerifier({ secrets: behaviour.secrets }).safeVerify(body, header)
    if (!result.ok) {
      response.writeHead(401, { 'content-type': 'text/plain' }).end(result.error.message)
      return
    }
    response.writeHead(200, { 'x-service-verified': verifiedParts(result) }).end('ok')
  }
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const path = request.url ?? ''
      response.on('finish', () => {
        if (response.statusCode >= 300) return
        const ids = acknowledged.get(path) ?? []
        ids.push(String(request.headers['x-service-event-id']))
        acknowledged.set(path, ids)
      })
      void answer(path, String(request.headers['x-service-signature']), Buffer.concat(parts), response)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: path => `http://127.0.0.1:${port}${path}`,
    behave: (path, behaviour) => behaviours.set(path, behaviour),
    acknowledged: path => acknowledged.get(path) ?? [],
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
