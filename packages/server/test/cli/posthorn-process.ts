import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { until } from '../support/until.ts'

/** The program that npm links as `posthorn`. */
const bin = fileURLToPath(new URL('../../bin/posthorn.js', import.meta.url))

/** Creating the embedded database takes long on a busy machine. */
const startMsMax = 180_000

/** The result of a command. */
export interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

interface RunOptions {
  env?: Record<string, string>
  stdin?: string
  /** The Node that `node` in the shell refers to. */
  node?: string
}

/** Runs `posthorn` with its own environment and waits for its end. */
export async function posthorn(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  const running = spawnPosthorn(args, options)
  running.child.stdin?.end(options.stdin ?? '')
  await once(running.child, 'close')
  return { code: running.child.exitCode, stdout: running.stdout(), stderr: running.stderr() }
}

export interface Running extends AsyncDisposable {
  child: ChildProcess
  stdout(): string
  stderr(): string
  /** Waits for the log line with the service's URL. */
  url(): Promise<string>
  /** Sends a signal and waits for the exit code. */
  end(signal: NodeJS.Signals): Promise<number | null>
}

/** Starts `posthorn` without waiting for its end. */
export function spawnPosthorn(
  args: readonly string[],
  { env = {}, node = process.execPath }: RunOptions,
): Running {
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const child = spawn(node, [bin, ...args], { env: { PATH, NODE_COMPILE_CACHE, ...env } })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  const closed = once(child, 'close')
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal)
    await closed
    return child.exitCode
  }
  return {
    child,
    stdout: () => stdout,
    stderr: () => stderr,
    url: async () =>
      await until(
        'the service says where it listens',
        () => {
          if (child.exitCode !== null) throw new Error(`ended with ${child.exitCode}: ${stdout}${stderr}`)
          return /"url":"(http[^"]+)"/.exec(stdout)?.[1]
        },
        startMsMax,
      ),
    end,
    [Symbol.asyncDispose]: async () => {
      await end('SIGTERM')
    },
  }
}

/** The Node that runs the tests, and an older one if it is installed, because Posthorn supports both. */
export function nodesOfThisMachine(): { version: string; path: string }[] {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/bin', '/usr/local/bin']
  const older = folders
    .map(folder => join(folder, 'node'))
    .filter(path => existsSync(path))
    .map(path => ({ path, version: execFileSync(path, ['--version'], { encoding: 'utf8' }).trim() }))
    .find(({ version }) => /^v2[0-3]\./.test(version))
  return [{ path: process.execPath, version: process.version }, ...(older === undefined ? [] : [older])]
}
