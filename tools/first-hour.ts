import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from './markdown.ts'

/** What the first commands print, as a reader with the default settings sees it. */
export interface FirstHour {
  readonly start: string
  readonly quickstart: string
  readonly remove: string
}

/** Runs `npm start` on an empty data directory, and the quickstart beside it. */
export async function runFirstHour(): Promise<FirstHour> {
  const dataDir = join(mkdtempSync(join(tmpdir(), 'posthorn-first-hour-')), '.posthorn')
  const others = Object.entries(process.env).filter(([name]) => !/^(POSTHORN_|DATABASE_URL$)/.test(name))
  const env = { ...Object.fromEntries(others), POSTHORN_DATA_DIR: dataDir, POSTHORN_PORT: '0' }
  const service = run('npm', ['start'], env)
  try {
    const url = await service.printed(/^Posthorn is running at (\S+)[^]*quickstart$/m)
    const asDefault = (text: string): string => normalized(text, { url, dataDir })
    const command = async (...args: string[]): Promise<string> => {
      const running = run('npx', ['posthorn', ...args], { ...env, POSTHORN_URL: url })
      await running.ended()
      return asDefault(running.output())
    }
    const quickstart = await command('quickstart')
    const remove = await command('quickstart', '--remove')
    return { start: asDefault(service.output()), quickstart, remove }
  } finally {
    await service.stop()
    rmSync(join(dataDir, '..'), { recursive: true })
  }
}

/** Ids, ports and paths that are the same in every run. */
function normalized(text: string, { url, dataDir }: { url: string; dataDir: string }): string {
  return text
    .replaceAll(/POSTHORN_(URL|DATA_DIR)=\S+ /g, '')
    .replaceAll(url, 'http://127.0.0.1:4100')
    .replaceAll(dataDir, '/home/you/posthorn/.posthorn')
    .replaceAll(/127\.0\.0\.1:\d+\/webhooks/g, '127.0.0.1:37525/webhooks')
    .replaceAll(/\bacct_\w{26}/g, 'acct_01m8j0vd9ce2g8vgzrer18xgtb')
    .replaceAll(/\bwh_\w{26}/g, 'wh_01m8j0vdane2ythrag3ngweabd')
}

interface Running {
  output(): string
  /** Waits until it has printed this, and gives the first group. */
  printed(what: RegExp): Promise<string>
  /** Waits until it has ended with 0. */
  ended(): Promise<void>
  stop(): Promise<void>
}

function run(program: string, args: string[], env: NodeJS.ProcessEnv): Running {
  const child = spawn(program, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const closed = once(child, 'close')
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  const failed = (): Error =>
    new Error(`${program} ${args.join(' ')} ended with ${child.exitCode}:\n${output}`)
  return {
    output: () => output,
    printed: async what => {
      for (;;) {
        const [, group] = what.exec(output) ?? []
        if (group !== undefined) return group
        if (child.exitCode !== null) throw failed()
        await Promise.race([once(child.stdout, 'data'), once(child.stderr, 'data'), closed])
      }
    },
    ended: async () => {
      await closed
      if (child.exitCode !== 0) throw failed()
    },
    stop: async () => {
      child.kill('SIGTERM')
      await closed
    },
  }
}
