import { build } from 'esbuild'
import { Miniflare } from 'miniflare'
import { describeExample } from '../receiver-suite.ts'
import { asInit } from '../served.ts'

describeExample('Workers', async secret => {
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
    bindings: { POSTHORN_SECRET: secret },
  })
  const url = await runtime.ready
  const processed: string[] = []
  return {
    processed,
    async send(request) {
      const answer = await fetch(new URL('/hooks', url), await asInit(request))
      const list = await fetch(new URL('/processed', url))
      processed.splice(0, processed.length, ...((await list.json()) as string[]))
      return answer
    },
    stop: () => runtime.dispose(),
  }
})
