import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { type MailServer, type MailServerOptions, runMailServer, whyNoMailServer } from './mail-server.ts'
import { mainConfiguration, masterConfiguration, type PostfixPlace } from './postfix-configuration.ts'

/** The reason why Postfix cannot run here; null if it can. */
export function whyNoPostfix(): string | null {
  return hasPostfix() ? whyNoMailServer() : 'it needs Postfix (Debian: apt-get install postfix)'
}

/** Also looks where distributions install it, because only root's PATH contains those folders. */
function hasPostfix(): boolean {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin']
  return folders.some(folder => existsSync(join(folder, 'postfix')))
}

/** Starts Postfix and waits until it accepts mail. Needs root; see {@link whyNoPostfix}. */
export async function startPostfix(options: MailServerOptions): Promise<MailServer> {
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
  const { ended } = await runMailServer('Postfix', ['postfix', '-c', configuration, 'start-fg'], options.port)
  const logFile = join(folder, 'maillog')
  return {
    name: 'Postfix',
    ingestCommand: 'postfix',
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
