import Koa from 'koa'
import { createNodeHandler } from '../src/node.ts'
import { describeAdapter } from './adapter-suite.ts'
import { listening } from './listening.ts'

// The same code as in docs/receiver/koa.md.
describeAdapter('createNodeHandler in Koa', async (options, fn) => {
  const handle = createNodeHandler(options, fn)
  const app = new Koa()
  app.use(async (context, next) => {
    if (context.path !== '/hooks') return await next()
    context.respond = false
    await handle(context.req, context.res)
  })
  const listener = app.callback()
  return await listening((request, response) => void listener(request, response))
})
