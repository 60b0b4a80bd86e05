import { once } from 'node:events'
import { Client } from 'undici'
import { outcome } from '../support/outcome.ts'
import type { BareLoad } from './bare.ts'

/** A process that only sends POST requests: first a few that are answered, as a warm-up, then the others. */
const body = JSON.stringify(outcome(1))
const timeouts = { headersTimeout: 600_000, connectTimeout: 600_000 }

const [{ warmUpUrl, warmUps, urls, ca }] = (await once(process, 'message')) as [BareLoad]
const warm = new Client(warmUpUrl)
for (let n = 0; n < warmUps; n++) await (await post(warm)).body.dump()
await warm.close()
process.once('message', () => {
  for (const url of urls) {
    const client = new Client(new URL(url).origin, {
      ...timeouts,
      connect: { ...(ca !== null && { ca }), timeout: timeouts.connectTimeout },
    })
    // it hangs until this process ends
    post(client).catch(() => {})
  }
})
process.send?.('warm')
process.on('disconnect', () => process.exit())

async function post(client: Client) {
  return await client.request({
    method: 'POST',
    path: '/ok/bare',
    headers: { 'Content-Type': 'application/json', 'User-Agent': 'bare' },
    body,
  })
}
