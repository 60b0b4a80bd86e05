import { build } from 'esbuild'
import { Miniflare } from 'miniflare'
import { startEventSink } from '../event-sink.ts'
import type { StartExample } from '../served.ts'

/** Bundles the Worker and starts it on workerd, the runtime of Cloudflare Workers. */
export const start: StartExample = async ({ secret, port, onProcessed }) => {
  const sink = await startEventSink(onProcessed)
  const { outputFiles } = await build({
    entryPoints: [new URL('worker.ts', import.meta.url).pathname],
    bundle: true,
    format: 'esm',
    conditions: ['@posthorn/source'],
    write: false,
  })
  const runtime = new Miniflare({
    modules: true,
    script: outputFiles[0]?.text ?? '',
    compatibilityDate: '2026-01-01',
    bindings: { POSTHORN_SECRET: secret, EVENTS_URL: sink.url },
    host: '127.0.0.1',
    port,
  })
  return {
    url: (await runtime.ready).origin,
    stop: async () => {
      await runtime.dispose()
      await sink.stop()
    },
  }
}
