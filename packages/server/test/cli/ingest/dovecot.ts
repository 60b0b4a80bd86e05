import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeCertificate } from '../../egress/certificate.ts'
import { freePort } from '../../support/free-port.ts'
import { killWhenOrphaned } from '../../support/kill-when-orphaned.ts'
import { until } from '../../support/until.ts'

/** A mailbox on a real IMAP server, with and without TLS. */
export interface Dovecot extends AsyncDisposable {
  /** Takes STARTTLS if `ssl` is on. */
  readonly plainPort: number
  readonly tlsPort: number
  readonly log: () => string
  /** Puts a message into the inbox. */
  deliver(mail: string | Buffer): void
  /** The messages in a mailbox. */
  messages(mailbox?: string): string[]
  /** Ends all sessions too. */
  restart(): Promise<void>
}

export const imapUser = 'bounces@acme.test'
export const imapPassword = 'pässword%/'

/** Dovecot refuses mailboxes of root. */
const nobody = 65_534

/** Starts Dovecot with one user. It needs root. */
export async function startDovecot({ ssl }: { ssl: boolean }): Promise<Dovecot> {
  const folder = mkdtempSync(join(tmpdir(), 'posthorn-imap-'))
  chmodSync(folder, 0o755)
  const [plainPort, tlsPort] = [await freePort(), await freePort()]
  const mail = join(folder, 'mail')
  const logFile = join(folder, 'log')
  for (const part of ['cur', 'new', 'tmp']) mkdirSync(join(mail, part), { recursive: true })
  for (const part of ['', 'cur', 'new', 'tmp']) chownSync(join(mail, part), nobody, nobody)
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const certificate = makeCertificate({ name: 'imap.test' })
  writeFileSync(key, certificate.key)
  writeFileSync(cert, certificate.cert)
  writeFileSync(join(folder, 'users'), `${imapUser}:{PLAIN}${imapPassword}\n`)
  writeFileSync(
    join(folder, 'dovecot.conf'),
    `
protocols = imap
base_dir = ${join(folder, 'run')}
state_dir = ${join(folder, 'run')}
log_path = ${logFile}
ssl = ${ssl ? 'yes' : 'no'}
ssl_cert = <${cert}
ssl_key = <${key}
disable_plaintext_auth = no
default_internal_user = root
default_internal_group = root
default_login_user = nobody
auth_verbose = yes
mail_location = maildir:${mail}
passdb {
  driver = passwd-file
  args = scheme=PLAIN username_format=%u ${join(folder, 'users')}
}
userdb {
  driver = static
  args = uid=${nobody} gid=${nobody} home=${mail}
}
service imap-login {
  chroot =
  inet_listener imap {
    port = ${plainPort}
  }
  inet_listener imaps {
    port = ${ssl ? tlsPort : 0}
    ssl = yes
  }
}
service anvil {
  chroot =
}
`,
  )
  const start = async () => {
    const child = spawn('dovecot', ['-F', '-c', join(folder, 'dovecot.conf')], { stdio: 'ignore' })
    killWhenOrphaned(child, 'process')
    await until('Dovecot listens', async () => {
      if (child.exitCode !== null) throw new Error(readFileSync(logFile, 'utf8'))
      return await answers(plainPort)
    })
    return child
  }
  let child = await start()
  const stop = async (): Promise<void> => {
    const closed = once(child, 'close')
    child.kill('SIGTERM')
    await closed
  }
  let mails = 0
  return {
    plainPort,
    tlsPort,
    log: () => readFileSync(logFile, 'utf8'),
    deliver: text => writeFileSync(join(mail, 'new', `${1_795_233_601 + ++mails}.M${mails}.test`), text),
    messages: mailbox => {
      const home = mailbox === undefined ? mail : join(mail, `.${mailbox}`)
      return ['new', 'cur'].flatMap(part =>
        readdirSync(join(home, part)).map(name => readFileSync(join(home, part, name), 'utf8')),
      )
    },
    restart: async () => {
      // sessions outlive the master
      execFileSync('doveadm', ['-c', join(folder, 'dovecot.conf'), 'kick', imapUser])
      await stop()
      child = await start()
    },
    [Symbol.asyncDispose]: async () => {
      await stop()
      rmSync(folder, { recursive: true })
    },
  }
}

async function answers(port: number): Promise<true | null> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'data')
    return true
  } catch {
    return null
  } finally {
    socket.destroy()
  }
}
