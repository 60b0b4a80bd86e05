import { durationWords } from './duration-words.ts'

/** The emails that the mail server does not have yet, and its last reply to the oldest that it did not take. */
export interface WaitingMail {
  readonly waiting: number
  readonly oldestSeconds: number
  readonly lastReply: string | null
}

/** Mail that waits no longer than this, and was not refused, is on its way. */
const oldestSecondsMax = 60

/** What an operator must know about the emails that wait, in a sentence; null if nothing is wrong. */
export function waitingMailSentence({ waiting, oldestSeconds, lastReply }: WaitingMail): string | null {
  if (waiting === 0 || (lastReply === null && oldestSeconds <= oldestSecondsMax)) return null
  const who = waiting === 1 ? '1 recipient' : `${waiting} recipients`
  const found = `The mail server has not taken the email to ${who}, the oldest for ${durationWords(oldestSeconds)}`
  return lastReply === null
    ? `${found}: no process has offered it.`
    : `${found}. Its last reply: “${lastReply}”.`
}

/** What one database or shard says about mail. */
export interface MailState extends WaitingMail {
  /** When the mail server's certificate expires; null if unknown. */
  readonly certificateExpiresAtMs: number | null
}

/** The same as the API shows it, over one or several databases. */
export function toMailHealth(all: readonly MailState[]) {
  const mail = sumWaitingMail(all)
  const expiries = all.flatMap(({ certificateExpiresAtMs }) => certificateExpiresAtMs ?? [])
  return {
    waiting: mail.waiting,
    oldest_seconds: mail.oldestSeconds,
    last_reply: mail.lastReply,
    message: waitingMailSentence(mail),
    certificate_expires_at: expiries.length === 0 ? null : new Date(Math.min(...expiries)).toISOString(),
  }
}

/** The sum over several databases. The reply is that of the oldest email. */
export function sumWaitingMail(all: readonly WaitingMail[]): WaitingMail {
  const sorted = all.toSorted((a, b) => b.oldestSeconds - a.oldestSeconds)
  return {
    waiting: all.reduce((sum, one) => sum + one.waiting, 0),
    oldestSeconds: sorted[0]?.oldestSeconds ?? 0,
    lastReply: sorted.find(({ lastReply }) => lastReply !== null)?.lastReply ?? null,
  }
}
