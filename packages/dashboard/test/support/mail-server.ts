import { type SmtpSink, startSmtpSink } from '../../../server/test/support/smtp-sink.ts'

/** What the mail server says to whom, by the first word of the local part; everybody else gets their mail. */
const replies: Record<string, string> = {
  nobody: '550 5.1.1 <nobody@example.org>: Recipient address rejected: User unknown',
  refused: '550 5.7.1 Message rejected: it looks like spam',
  busy: '450 4.7.1 Greylisted, try again later',
}

/** The mail server that the service hands emails to. */
export async function startMailServer(): Promise<SmtpSink> {
  return await startSmtpSink({ onRecipient: address => replies[address.split(/[-@]/)[0] ?? ''] })
}
