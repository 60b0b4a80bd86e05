import { build } from 'esbuild'
import { installTestPrograms } from '../../tools/test-programs/test-programs.ts'
import { startEventSink } from '../event-sink.ts'
import type { StartExample } from '../served.ts'
import { startWorker } from './miniflare.ts'

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
  installTestPrograms()
  const runtime = startWorker({
    script: outputFiles[0]?.text ?? '',
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
