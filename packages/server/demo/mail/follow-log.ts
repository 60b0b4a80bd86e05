import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { MailServer } from './mail-server.ts'

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))

/** Runs `posthorn ingest postfix LOG --follow`, or the same for Exim, as an operator does beside the mail server. */
export function followLog(
  { ingestCommand, logFile }: MailServer,
  service: { url: string; adminToken: string },
  dataDir: string,
  options: readonly string[] = [],
): AsyncDisposable {
  const child = spawn(
    process.execPath,
    [
      '--conditions=@posthorn/source',
      main,
      'ingest',
      ingestCommand,
      logFile,
      '--follow',
      '--json',
      ...options,
    ],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        PATH: process.env['PATH'],
        POSTHORN_URL: service.url,
        POSTHORN_ADMIN_TOKEN: service.adminToken,
        POSTHORN_DATA_DIR: join(dataDir, 'ingest'),
      },
    },
  )
  return {
    [Symbol.asyncDispose]: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}
