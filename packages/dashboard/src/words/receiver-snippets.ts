import type { Receiver } from './receivers.ts'

export interface SnippetOptions {
  /** Names of the environment variables, newest secret first; two while a key is being replaced. */
  readonly secretNames?: readonly string[]
  /** The path of the endpoint's URL, where the receiver listens. */
  readonly path?: string
  /** The name of the signature header. */
  readonly signatureHeader?: string
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
  const header = options.signatureHeader ?? defaultHeader
  const option = (text: string): string => (header === defaultHeader ? '' : text.replace('$', header))
  return snippets[receiver]({ env, secrets, names, path: plainPath(options.path), header, option })
}

interface Parts {
  readonly env: string
  readonly secrets: string
  readonly names: readonly string[]
  readonly path: string
  readonly header: string
  /** The text with `$` replaced by the name of the signature header; empty if that is the default. */
  readonly option: (text: string) => string
}

const defaultHeader = 'X-Service-Signature'

const snippets: Record<Receiver, (parts: Parts) => string> = {
  Express: ({ env, secrets, path, option }) => `// npm install @posthorn/receiver
import { createExpressHandler } from '@posthorn/receiver/express'
import express from 'express'

${env}
const app = express()
// before express.json(): the signature covers the bytes as they came
app.all('${path}', createExpressHandler({ secrets: ${secrets}${option(", headerName: '$'")} }, async event => {
  console.log(event.type, event.id)
}))
app.listen(3000)`,

  'Next.js': ({ env, secrets, path, option }) => `// npm install @posthorn/receiver
// app${path}/route.ts
import { createNextHandler } from '@posthorn/receiver/next'

${env}
export const POST = createNextHandler({ secrets: ${secrets}${option(", headerName: '$'")} }, async event => {
  console.log(event.type, event.id)
})`,

  Fastify: ({ env, secrets, path, option }) => `// npm install @posthorn/receiver
import { createFastifyPlugin } from '@posthorn/receiver/fastify'
import fastify from 'fastify'

${env}
const app = fastify()
await app.register(createFastifyPlugin({ path: '${path}', secrets: ${secrets}${option(", headerName: '$'")} }, async event => {
  console.log(event.type, event.id)
}))
await app.listen({ port: 3000 })`,

  Hono: ({ env, secrets, path, option }) => `// npm install @posthorn/receiver
import { createHonoHandler } from '@posthorn/receiver/hono'
import { Hono } from 'hono'

${env}
const app = new Hono()
app.all('${path}', createHonoHandler({ secrets: ${secrets}${option(", headerName: '$'")} }, async event => {
  console.log(event.type, event.id)
}))
export default app`,

  PHP: ({ names, option }) => `<?php
// composer require posthorn/receiver
require 'vendor/autoload.php';

use Posthorn\\Receiver\\{Event, Receiver, Verifier};

$secrets = [${names.map(name => `getenv('${name}')`).join(', ')}];
(new Receiver(new Verifier($secrets${option(", headerName: '$'")})))->handle(function (Event $event): void {
    error_log("$event->type $event->id");
});`,

  Python: ({ names, path, option }) => `# pip install posthorn-receiver flask
import os
from flask import Flask
from posthorn_receiver import Verifier
from posthorn_receiver.flask import webhook

app = Flask(__name__)
secrets = [${names.map(name => `os.environ["${name}"]`).join(', ')}]

@app.post("${path}")
@webhook(Verifier(secrets${option(', header_name="$"')}))
def hooks(event):
    print(event.type, event.id)`,

  Go: ({ names, path, option }) => `// go get github.com/posthorn/posthorn/receivers/go
package main

import (
	"context"
	"log"
	"net/http"
	"os"

	posthorn "github.com/posthorn/posthorn/receivers/go"
)

func main() {
	verifier, err := posthorn.NewVerifier([]string{${names.map(name => `os.Getenv("${name}")`).join(', ')}}${option(', posthorn.WithHeaderName("$")')})
	if err != nil {
		log.Fatal(err)
	}
	receiver := &posthorn.Receiver{Verifier: verifier}
	http.Handle("${path}", receiver.Handle(func(ctx context.Context, event *posthorn.Event) error {
		log.Println(event.Type, event.ID)
		return nil
	}))
	log.Fatal(http.ListenAndServe(":3000", nil))
}`,

  Ruby: ({ names, path, option }) => `# bundle add posthorn-receiver; for Rails, see its README
# config.ru
require "posthorn/receiver"

verifier = Posthorn::Receiver::Verifier.new([${names.map(name => `ENV["${name}"]`).join(', ')}]${option(', header_name: "$"')})
map "${path}" do
  run(Posthorn::Receiver.app(verifier) { |event| puts event.type, event.id })
end`,

  Java: ({ names, path, option }) => `// Maven: io.posthorn:posthorn-receiver:0.1.0, with Spring Boot
// application.properties:
//   posthorn.receiver.path=${path}
//   posthorn.receiver.secrets=${names.map(name => `\${${name}}`).join(',')}${option('\n//   posthorn.receiver.header-name=$')}
import io.posthorn.receiver.Event;
import io.posthorn.receiver.servlet.WebhookFilter;
import org.springframework.web.bind.annotation.*;

@RestController
class Hooks {
    @PostMapping("${path}")
    void receive(@RequestAttribute(WebhookFilter.EVENT) Event event) {
        System.out.println(event.type() + " " + event.id());
    }
}`,

  Other: ({ names, header }) => `${header}: t=<unix seconds>,v1=<hex>

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
