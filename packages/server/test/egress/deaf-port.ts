import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'

/** A port whose accept queue is full and stays full, so a new connection hangs as behind a firewall that drops packets. */
export async function startDeafPort(): Promise<AsyncDisposable & { readonly number: number }> {
  const child = spawn(process.execPath, ['--eval', listenAndSleep], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await once(child.stdout, 'data')
  const port = Number(String(line))
  const fillers = Array.from({ length: 16 }, () => connect({ host: '127.0.0.1', port }).on('error', () => {}))
  const [first] = fillers
  if (first !== undefined) await once(first, 'connect')
  return {
    number: port,
    async [Symbol.asyncDispose]() {
      for (const filler of fillers) filler.destroy()
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}

const listenAndSleep = `
  const server = require('node:net').createServer()
  server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
    require('node:fs').writeSync(1, server.address().port + '\\n')
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  })
`
