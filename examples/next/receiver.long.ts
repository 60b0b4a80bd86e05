import { getRequestListener } from '@hono/node-server'
import { describeExample } from '../receiver-suite.ts'
import { served, type StartExample } from '../served.ts'
import { startEventSink } from '../event-sink.ts'
import { POST } from './app/hooks/route.ts'
import hooks from './pages/api/hooks.ts'
import { install, startInstalled } from './start.ts'

const start: StartExample = async options => {
  const folder = await install().catch((error: unknown) => {
    if (process.env['CI'] !== undefined) throw error
    console.log(
      `not run: Next.js itself; install it with npm, which said: ${String(error).replaceAll('\n', ' ')}`,
    )
  })
  return await (folder === undefined ? startWithoutNext(options) : startInstalled(folder, options))
}

/** Calls the exported functions like Next.js, if Next.js cannot be installed. */
const startWithoutNext: StartExample = async ({ secret, port, onProcessed }) => {
  const sink = await startEventSink(onProcessed)
  process.env['POSTHORN_SECRET'] = secret
  process.env['EVENTS_URL'] = sink.url
  const app = getRequestListener(POST)
  return await served(
    (request, response) =>
      void (request.url === '/api/hooks' ? hooks(request, response) : app(request, response)),
    port,
  )
}

describeExample('Next.js', start, ['/hooks', '/api/hooks'])
