import { readFileSync } from 'node:fs'
import { type Config, ConfigError } from './config.ts'
import type { Log } from './log.ts'
import type { MailDoor } from './mail/mail-door.ts'
import { SmtpPort } from './smtp-port/smtp-port.ts'

/** The settings of the SMTP port. */
export type SmtpPortConfig = Pick<
  Config,
  'smtpPort' | 'smtpHost' | 'smtpTlsCert' | 'smtpTlsKey' | 'returnPathDomain'
>

/** Opens the port for bounce messages, complaints and unsubscribe mail; null if it is not configured. */
export async function openSmtpPort(
  config: SmtpPortConfig,
  log: Log,
  door: MailDoor,
): Promise<SmtpPort | null> {
  const { smtpPort, smtpHost, smtpTlsCert, smtpTlsKey, returnPathDomain } = config
  if (smtpPort === null || returnPathDomain === null) return null
  const port = new SmtpPort({
    door,
    host: smtpHost,
    port: smtpPort,
    domain: returnPathDomain,
    tls:
      smtpTlsCert === null || smtpTlsKey === null
        ? null
        : {
            cert: readPem('POSTHORN_SMTP_TLS_CERT', smtpTlsCert),
            key: readPem('POSTHORN_SMTP_TLS_KEY', smtpTlsKey),
          },
    log,
  })
  log.info({ host: smtpHost, port: await port.start() }, 'accepting mail for return paths')
  return port
}

function readPem(setting: string, path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new ConfigError(`cannot read ${path}, which is set in ${setting}`, { cause: error })
  }
}
