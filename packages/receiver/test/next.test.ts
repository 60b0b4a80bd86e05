import { getRequestListener } from '@hono/node-server'
import { createNextHandler, createNextPagesHandler } from '../src/next.ts'
import { describeAdapter } from './adapter-suite.ts'
import { listening } from './listening.ts'
import { describeRefusal } from './refusal-suite.ts'

// Like the App Router, this server passes a Request to the exported function.
describeAdapter('createNextHandler', async (options, fn) => {
  const listener = getRequestListener(createNextHandler(options, async event => void (await fn(event))))
  return await listening((request, response) => void listener(request, response))
})

describeRefusal('createNextHandler', createNextHandler)

describeAdapter('createNextPagesHandler', async (options, fn) => {
  const handle = createNextPagesHandler(options, fn)
  return await listening((request, response) => void handle(request, response))
})
