import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { waitUntil } from '../wait-until.ts'
import { mainConfiguration, masterConfiguration, type PostfixPlace } from './postfix-configuration.ts'

/** A real Postfix in its own folder, which uses our name server. */
export interface Postfix extends AsyncDisposable {
  readonly smtpUrl: string
  readonly logFile: string
  log(): string
}

/** The reason why Postfix cannot run here; null if it can. */
export function whyNoPostfix(): string | null {
  if (!hasPostfix()) return 'it needs Postfix (Debian: apt-get install postfix)'
  if (process.platform !== 'linux')
    return 'it needs Linux, where every address of 127.0.0.0/8 is this machine'
  return process.getuid?.() === 0 ? null : 'it needs root, as Postfix does; ports 25 and 53 are used'
}

/** Also looks where distributions install it, because only root's PATH contains those folders. */
function hasPostfix(): boolean {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin']
  return folders.some(folder => existsSync(join(folder, 'postfix')))
}

/** Starts Postfix and waits until it accepts mail. Needs root; see {@link whyNoPostfix}. */
export async function startPostfix(
  options: Pick<PostfixPlace, 'port' | 'returnPath'> & { nameServer: string },
): Promise<Postfix> {
  const folder = mkdtempSync(join(tmpdir(), 'posthorn-postfix-'))
  const configuration = join(folder, 'etc')
  execFileSync('chmod', ['755', folder])
  for (const name of ['etc', 'queue', 'data']) mkdirSync(join(folder, name))
  execFileSync('chown', ['postfix', join(folder, 'data')])
  const place: PostfixPlace = { ...options, folder }
  writeFileSync(join(configuration, 'main.cf'), mainConfiguration(place))
  writeFileSync(join(configuration, 'master.cf'), masterConfiguration(place))
  mkdirSync(join(folder, 'queue', 'etc'))
  writeFileSync(
    join(folder, 'queue', 'etc', 'resolv.conf'),
    `nameserver ${options.nameServer}\noptions timeout:2 attempts:2\n`,
  )
  const child = spawn('postfix', ['-c', configuration, 'start-fg'], { stdio: ['ignore', 'pipe', 'pipe'] })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (printed += part))
  const ended = once(child, 'exit')
  await waitUntil('Postfix accepts mail', async () => {
    if (child.exitCode !== null) throw new Error(`Postfix exited with ${child.exitCode}: ${printed}`)
    return await answers(options.port)
  })
  const logFile = join(folder, 'maillog')
  return {
    smtpUrl: `smtp://127.0.0.1:${options.port}`,
    logFile,
    log: () => readFileSync(logFile, 'utf8'),
    [Symbol.asyncDispose]: async () => {
      spawnSync('postfix', ['-c', configuration, 'stop'])
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
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
