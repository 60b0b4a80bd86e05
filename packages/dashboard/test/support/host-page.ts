import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A provider's page on another origin. It embeds a portal link and answers the request for a new one. */
export interface HostPage extends AsyncDisposable {
  readonly origin: string
  /** The link to embed, and the link to hand over when the frame asks; null: none. */
  show(link: string, next: string | null): void
}

export async function startHostPage(): Promise<HostPage> {
  let html = ''
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(html)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://localhost:${port}`,
    show: (link, next) => {
      html = `<!doctype html><title>Host</title><h1>Our own page</h1>
        <iframe src="${link}" title="Webhooks" width="1200" height="800"></iframe>
        <script>
          const asked = []
          addEventListener('message', event => {
            if (event.data?.type !== 'posthorn.session_ending') return
            asked.push(event.origin)
            const next = ${JSON.stringify(next)}
            if (next !== null) event.source.postMessage({ type: 'posthorn.portal_link', url: next }, event.origin)
          })
        </script>`
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
