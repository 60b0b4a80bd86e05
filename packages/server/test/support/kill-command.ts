import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** Runs a command of the command line and kills it with SIGKILL when the promise is resolved. Throws if it ends before. */
export async function killCommand(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  isTime: Promise<unknown>,
): Promise<void> {
  const { PATH, NODE_COMPILE_CACHE } = process.env
  // not through bin/, which would survive in a process of its own
  const child = spawn(process.execPath, ['--conditions=@posthorn/source', main, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH, NODE_COMPILE_CACHE, ...env },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  const closed = once(child, 'close')
  const ended = closed.then(() => {
    if (child.signalCode === null) throw new Error(`the command ended too early: ${output}`)
  })
  await Promise.race([isTime, ended])
  child.kill('SIGKILL')
  await closed
}

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
