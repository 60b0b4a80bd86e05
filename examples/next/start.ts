import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { packReceiver, run } from '../../packages/receiver/test/pack.ts'
import { startEventSink } from '../event-sink.ts'
import type { ExampleOptions, StartedExample, StartExample } from '../served.ts'

const PARTS = ['app', 'pages', 'package.json', 'process-event.ts', 'tsconfig.json']

/** Starts the Next.js example like a customer's app: outside this workspace, with the packed receiver. */
export const start: StartExample = async options => await startInstalled(await install(), options)

/** Copies the example into a temporary folder, installs its dependencies, and returns the folder. */
export async function install(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'posthorn-next-'))
  try {
    for (const part of PARTS) {
      cpSync(join(import.meta.dirname, part), join(folder, part), { recursive: true })
    }
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    manifest.dependencies['@posthorn/receiver'] = `file:${await packReceiver(folder)}`
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
    const quietly = ['--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline', '--fetch-retries=0']
    await run('npm', ['install', ...quietly], folder)
    return folder
  } catch (error) {
    rmSync(folder, { recursive: true })
    throw error
  }
}

/** Builds and starts the app with Next.js. Removes the folder when it stops. */
export async function startInstalled(folder: string, options: ExampleOptions): Promise<StartedExample> {
  const sink = await startEventSink(options.onProcessed)
  const next = join(folder, 'node_modules/next/dist/bin/next')
  const settings = { NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' }
  await run(process.execPath, [next, 'build'], folder, settings)
  const server = spawn(
    process.execPath,
    [next, 'start', '--hostname', '127.0.0.1', '--port', String(options.port)],
    {
      cwd: folder,
      env: { ...process.env, ...settings, POSTHORN_SECRET: options.secret, EVENTS_URL: sink.url },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const exit = once(server, 'exit')
  const stop = async () => {
    server.kill()
    await exit
    await sink.stop()
    rmSync(folder, { recursive: true })
  }
  const url = await Promise.race([printedUrl(server.stdout), exit.then(() => undefined)])
  if (url !== undefined) return { url, stop }
  await stop()
  throw new Error('Next.js ended before it listened')
}

/** Waits for the URL that a program prints when it listens. */
function printedUrl(output: Readable): Promise<string> {
  let printed = ''
  return new Promise(resolve => {
    output.on('data', (chunk: Buffer) => {
      printed += chunk.toString()
      const url = /http:\/\/127\.0\.0\.1:\d+(?=\s)/.exec(printed)?.[0]
      if (url !== undefined) resolve(url)
    })
  })
}
