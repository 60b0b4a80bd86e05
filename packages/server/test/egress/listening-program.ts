import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { until } from '../support/until.ts'

/** Starts a program and waits until it listens on a port of this machine. Disposing it kills it. */
export async function startListening(
  port: number,
  command: string,
  args: string[],
): Promise<AsyncDisposable> {
  const child = spawn(command, args, { stdio: 'ignore' })
  const exit = once(child, 'exit')
  await until(`${command} listens`, async () => {
    const socket = connect(port, '127.0.0.1')
    const isOpen = await once(socket, 'connect').catch(() => false)
    socket.destroy()
    return isOpen
  })
  return {
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL')
      await exit
    },
  }
}
