import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { waitUntil } from '../wait-until.ts'

/** A real mail server in its own folder, which uses our name server. */
export interface MailServer extends AsyncDisposable {
  readonly name: 'Postfix' | 'Exim'
  /** The command of `posthorn ingest` that reads its log. */
  readonly ingestCommand: 'postfix' | 'exim'
  readonly smtpUrl: string
  readonly logFile: string
  log(): string
}

/** Where a mail server listens, and where it sends what. */
export interface MailServerOptions {
  /** On 127.0.0.1. */
  readonly port: number
  /** The address of the name server; its port is 53. */
  readonly nameServer: string
  /** Bounces for this domain go to this SMTP port of Posthorn. */
  readonly returnPath: { readonly domain: string; readonly port: number }
}

/** The reason why no mail server can run here; null if they can. */
export function whyNoMailServer(): string | null {
  if (process.platform !== 'linux')
    return 'it needs Linux, where every address of 127.0.0.0/8 is this machine'
  return process.getuid?.() === 0 ? null : 'it needs root, as mail servers do; ports 25 and 53 are used'
}

/** Starts a mail server that stays in the foreground, and waits until it accepts mail. Resolves with its process. */
export async function runMailServer(
  name: MailServer['name'],
  [program, ...args]: readonly [string, ...string[]],
  port: number,
): Promise<{ stop: () => void; ended: Promise<unknown> }> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (printed += part))
  const ended = once(child, 'exit')
  await waitUntil(`${name} accepts mail`, async () => {
    if (child.exitCode !== null) throw new Error(`${name} exited with ${child.exitCode}: ${printed}`)
    return await answers(port)
  })
  return { stop: () => void child.kill('SIGTERM'), ended }
}

async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'data')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
