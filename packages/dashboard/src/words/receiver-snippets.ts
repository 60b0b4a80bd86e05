import type { Receiver } from './receivers.ts'

export interface SnippetOptions {
  /** Names of the environment variables, newest secret first; two while a key is being replaced. */
  readonly secretNames?: readonly string[]
  /** The path of the endpoint's URL, where the receiver listens. */
  readonly path?: string
}

/**
 * A whole receiver, ready to paste.
 *
 * @example
 * receiverSnippet('Express', { secretNames: ['WEBHOOK_SECRET_NEW', 'WEBHOOK_SECRET'], path: '/hooks' })
 */
export function receiverSnippet(receiver: Receiver, options: SnippetOptions = {}): string {
  const names = options.secretNames ?? ['WEBHOOK_SECRET']
  const env = `const { ${names.map(name => `${name} = ''`).join(', ')} } = process.env`
  const secrets = names.length === 1 ? `${names[0]}` : `[${names.join(', ')}]`
  return snippets[receiver]({ env, secrets, names, path: plainPath(options.path) })
}

interface Parts {
  readonly env: string
  readonly secrets: string
  readonly names: readonly string[]
  readonly path: string
}

const snippets: Record<Receiver, (parts: Parts) => string> = {
  Express: ({ env, secrets, path }) => `// npm install @posthorn/receiver
import { createExpressHandler } from '@posthorn/receiver/express'
import express from 'express'

${env}
const app = express()
// before express.json(): the signature covers the bytes as they came
app.all('${path}', createExpressHandler({ secrets: ${secrets} }, async event => {
  console.log(event.type, event.id)
}))
app.listen(3000)`,

  'Next.js': ({ env, secrets, path }) => `// npm install @posthorn/receiver
// app${path}/route.ts
import { createNextHandler } from '@posthorn/receiver/next'

${env}
export const POST = createNextHandler({ secrets: ${secrets} }, async event => {
  console.log(event.type, event.id)
})`,

  Fastify: ({ env, secrets, path }) => `// npm install @posthorn/receiver
import { createFastifyPlugin } from '@posthorn/receiver/fastify'
import fastify from 'fastify'

${env}
const app = fastify()
await app.register(createFastifyPlugin({ path: '${path}', secrets: ${secrets} }, async event => {
  console.log(event.type, event.id)
}))
await app.listen({ port: 3000 })`,

  Hono: ({ env, secrets, path }) => `// npm install @posthorn/receiver
import { createHonoHandler } from '@posthorn/receiver/hono'
import { Hono } from 'hono'

${env}
const app = new Hono()
app.all('${path}', createHonoHandler({ secrets: ${secrets} }, async event => {
  console.log(event.type, event.id)
}))
export default app`,

  PHP: ({ names }) => `<?php
// composer require posthorn/receiver
require 'vendor/autoload.php';

use Posthorn\\Receiver\\{Event, Receiver, Verifier};

$secrets = [${names.map(name => `getenv('${name}')`).join(', ')}];
(new Receiver(new Verifier($secrets)))->handle(function (Event $event): void {
    error_log("$event->type $event->id");
});`,

  Python: ({ names }) => `import hashlib, hmac, os, re, time

SECRETS = [${names.map(name => `os.environ["${name}"]`).join(', ')}]

def verify(body: bytes, header: str) -> None:
    """Raises ValueError unless we sent it. Pass the raw body, and X-Service-Signature."""
    if not all(secret.removeprefix("whsec_") for secret in SECRETS):
        raise RuntimeError("a webhook secret is empty")
    if len(header) > 4096 or re.search(r"[^\\t -~]", header):
        raise ValueError("header malformed")
    parts = [part.strip(" \\t").partition("=") for part in header.split(",")]
    times = [value for name, _, value in parts if name == "t"]
    if len(times) != 1 or not re.fullmatch("[0-9]{1,15}", times[0]):
        raise ValueError("header malformed")
    signatures = [value.lower() for name, _, value in parts if re.fullmatch("v1(s[0-9]*)?", name)]
    message = times[0].encode() + b"." + body
    macs = [hmac.new(secret.encode(), message, hashlib.sha256).hexdigest() for secret in SECRETS]
    if not any([hmac.compare_digest(mac.encode(), s.encode()) for mac in macs for s in signatures]):
        raise ValueError("signature mismatch")
    if abs(int(time.time()) - int(times[0])) > 300:
        raise ValueError("timestamp outside the tolerance")`,

  Other: ({ names }) => `X-Service-Signature: t=<unix seconds>,v1=<hex>

1. Read the raw bytes of the body, before any parser does.
2. Make the HMAC-SHA256 of t, a dot and the body. The key is the text of
   the whole secret, whsec_ included.
3. Accept if it equals one of v1, v1s, v1s2; compare in constant time.${
    names.length === 1 ? '' : '\n   Try each of your secrets.'
  }
4. Refuse if t is more than 300 seconds from now.`,
}

/** A path that is safe inside code; otherwise a placeholder. */
function plainPath(path: string | undefined): string {
  return path !== undefined && /^(\/[\w.~-]+)+$/.test(path) ? path : '/hooks'
}
