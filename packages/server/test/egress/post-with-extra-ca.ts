import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Exchange } from '../../src/egress/egress.ts'
import { answering, openTestEgress, post } from './open-test-egress.ts'

/**
 * Posts to each URL, one after the other, from a process of its own that was started with `NODE_EXTRA_CA_CERTS`: Node
 * reads that setting only once. Every name below example.com leads to this machine.
 */
export async function postWithExtraCa(authority: string, urls: readonly string[]): Promise<Exchange[]> {
  const directory = await mkdtemp(join(tmpdir(), 'posthorn-ca-'))
  try {
    const file = join(directory, 'ca.pem')
    await writeFile(file, authority)
    const child = spawn(
      process.execPath,
      ['--conditions=@posthorn/source', fileURLToPath(import.meta.url), ...urls],
      {
        env: { ...process.env, NODE_EXTRA_CA_CERTS: file },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
    const [output] = await Promise.all([text(child.stdout), once(child, 'exit')])
    return JSON.parse(output)
  } finally {
    await rm(directory, { recursive: true })
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const urls = process.argv.slice(2)
  const resolver = answering(Object.fromEntries(urls.map(url => [new URL(url).hostname, ['127.0.0.1']])))
  await using egress = openTestEgress({ resolver })
  const exchanges: Exchange[] = []
  for (const url of urls) {
    const openBefore = egress.openSockets
    let exchange = await post(egress, url)
    // a connection is kept once it has been quiet for a moment
    while (url.endsWith('/again') && exchange.phases.connectMs !== null) exchange = await post(egress, url)
    exchanges.push(exchange)
    // ends only when the socket under TLS was closed with it
    while (url.endsWith('/close') && egress.openSockets > openBefore) await setImmediate()
  }
  process.stdout.write(JSON.stringify(exchanges))
}
