import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { StartExample } from './served.ts'

// Starts one of the examples and prints each processed event until it is interrupted.
const { POSTHORN_SECRET: secret = `whsec_${randomBytes(32).toString('base64url')}`, PORT = '3000' } =
  process.env
const name = process.argv[2] ?? ''
const file = join(import.meta.dirname, name, 'start.ts')

if (name === '' || !existsSync(file)) {
  console.error('Name an example: express, fastify, hono, lambda, next, node or workers.')
  process.exit(2)
}
const { start } = (await import(file)) as { start: StartExample }
const example = await start({
  secret,
  port: Number(PORT),
  onProcessed: id => console.log(`processed ${id}`),
})
console.log(`${name} listens on ${example.url}/hooks. To send it an event:`)
console.log(`POSTHORN_SECRET=${secret} node tools/node.js examples/send.ts ${example.url}/hooks`)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void example.stop())
