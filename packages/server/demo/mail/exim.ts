import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { eximConfiguration } from './exim-configuration.ts'
import { type MailServer, type MailServerOptions, runMailServer, whyNoMailServer } from './mail-server.ts'

/** Debian's Exim and its libraries. Its package cannot be installed where Postfix is. */
const unpacked = fileURLToPath(new URL('../../../../tools/test-programs/exim', import.meta.url))
const user = 'Debian-exim'

/** The reason why Exim cannot run here; null if it can. */
export function whyNoExim(): string | null {
  return existsSync(join(unpacked, 'usr/sbin/exim4'))
    ? whyNoMailServer()
    : 'it needs Exim (Debian: tools/unpack-exim.sh puts it next to Postfix)'
}

/**
 * Starts Exim and waits until it accepts mail. It runs in a chroot with its own libraries, user and `etc/resolv.conf`.
 * Needs root; see {@link whyNoExim}.
 */
export async function startExim(options: MailServerOptions): Promise<MailServer> {
  const root = mkdtempSync(join(tmpdir(), 'posthorn-exim-'))
  execFileSync('chmod', ['755', root])
  cpSync(unpacked, root, { recursive: true, verbatimSymlinks: true })
  for (const name of ['etc/exim4', 'dev', 'tmp', 'var/spool/exim4', 'var/log/exim4']) {
    mkdirSync(join(root, name), { recursive: true })
  }
  const files = {
    'etc/passwd': `root:x:0:0::/:/bin/false\n${user}:x:100:100::/:/bin/false\n`,
    'etc/group': `root:x:0:\n${user}:x:100:\n`,
    'etc/nsswitch.conf': 'hosts: dns\n',
    'etc/resolv.conf': `nameserver ${options.nameServer}\noptions timeout:2 attempts:2\n`,
    'etc/exim4/exim4.conf': eximConfiguration(options),
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text)
  execFileSync('mknod', ['-m', '666', join(root, 'dev/null'), 'c', '1', '3'])
  execFileSync('chown', ['100:100', join(root, 'var/spool/exim4'), join(root, 'var/log/exim4')])
  const { stop, ended } = await runMailServer(
    'Exim',
    ['chroot', root, '/usr/sbin/exim4', '-bdf', '-q1s'],
    options.port,
  )
  const logFile = join(root, 'var/log/exim4/mainlog')
  return {
    name: 'Exim',
    ingestCommand: 'exim',
    smtpUrl: `smtp://127.0.0.1:${options.port}`,
    logFile,
    log: () => readFileSync(logFile, 'utf8'),
    [Symbol.asyncDispose]: async () => {
      stop()
      await ended
      rmSync(root, { recursive: true, force: true })
    },
  }
}
