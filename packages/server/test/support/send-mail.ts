import { createTransport } from 'nodemailer'

export interface SentMail {
  readonly to: string | string[]
  readonly raw: string
  /** The sender in the envelope; empty for a bounce message. */
  readonly from?: string
  /** Whether to use STARTTLS, with any certificate. */
  readonly secure?: boolean
}

/** Sends like another mail server and resolves with the reply code. */
export async function sendMail(
  port: number,
  { to, raw, from = '', secure = false }: SentMail,
): Promise<number> {
  const transport = createTransport({
    host: '127.0.0.1',
    port,
    ignoreTLS: !secure,
    requireTLS: secure,
    tls: { rejectUnauthorized: false },
  })
  try {
    const { response } = await transport.sendMail({ envelope: { from, to }, raw })
    return Number(response.slice(0, 3))
  } catch (error) {
    return (error as { responseCode?: number }).responseCode ?? Number.NaN
  } finally {
    transport.close()
  }
}
