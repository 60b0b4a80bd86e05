import { type SmtpSink, startSmtpSink } from '../../../server/test/support/smtp-sink.ts'

/** The mail server's reply by the first word of the local part; all other mail is accepted. */
const replies: Record<string, string> = {
  nobody: '550 5.1.1 <nobody@example.org>: Recipient address rejected: User unknown',
  refused: '550 5.7.1 Message rejected: it looks like spam',
  busy: '450 4.7.1 Greylisted, try again later',
}

/** The mail server to which the service hands emails. */
export async function startMailServer(): Promise<SmtpSink> {
  return await startSmtpSink({ onRecipient: address => replies[address.split(/[-@]/)[0] ?? ''] })
}
