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
 * Posts to each URL, one after the other. It uses its own process with `NODE_EXTRA_CA_CERTS`, because Node reads that
 * setting only once. All names below example.com resolve to this machine.
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
    // a connection can be reused after it was quiet for a moment
    while (url.endsWith('/again') && exchange.phases.connectMs !== null) exchange = await post(egress, url)
    exchanges.push(exchange)
    // ends only if the TCP socket under TLS is closed too
    while (url.endsWith('/close') && egress.openSockets > openBefore) await setImmediate()
  }
  process.stdout.write(JSON.stringify(exchanges))
}
