/** Where in its way an email was when something happened. */
export const stages = [
  'submit',
  'signing',
  'queue',
  'dns',
  'connect',
  'tls',
  'ehlo',
  'auth',
  'mail_from',
  'rcpt_to',
  'data',
  'end_of_data',
  'dsn',
] as const

export type Stage = (typeof stages)[number]

/** The command that a reply answers, as events name it. */
export function commandOf(stage: Stage | null): SmtpCommand | null {
  return stage === null ? null : (commands.get(stage) ?? null)
}

export type SmtpCommand = 'CONNECT' | 'EHLO' | 'STARTTLS' | 'AUTH' | 'MAIL FROM' | 'RCPT TO' | 'DATA' | '.'

const commands = new Map<Stage, SmtpCommand>([
  ['connect', 'CONNECT'],
  ['ehlo', 'EHLO'],
  ['tls', 'STARTTLS'],
  ['auth', 'AUTH'],
  ['mail_from', 'MAIL FROM'],
  ['rcpt_to', 'RCPT TO'],
  ['data', 'DATA'],
  ['end_of_data', '.'],
])

/**
 * Whether a reply at this stage can be about the recipient. Before RCPT TO nobody has named one; after it a reply
 * speaks of the whole transaction, so it counts only when that had one recipient.
 */
export function speaksOfRecipient(stage: Stage | null, recipientsInTransaction: number): boolean {
  switch (stage) {
    case null:
    case 'rcpt_to':
    case 'dsn':
    case 'dns':
    case 'queue':
    case 'submit':
      return true
    case 'data':
    case 'end_of_data':
      return recipientsInTransaction === 1
    case 'signing':
    case 'connect':
    case 'tls':
    case 'ehlo':
    case 'auth':
    case 'mail_from':
      return false
  }
}

/** Mail servers write into their logs and reports what they were doing: Postfix and Exim in these words. */
export function stageInText(text: string): Stage | null {
  return traces.find(([pattern]) => pattern.test(text))?.[1] ?? null
}

const traces: ReadonlyArray<readonly [RegExp, Stage]> = [
  [/\b(?:in reply to|after|response to) (?:the )?rcpt(?: to\b|:)/i, 'rcpt_to'],
  [/\b(?:in reply to|after|response to) (?:the )?mail(?: from\b|:)/i, 'mail_from'],
  [/\b(?:in reply to|after|response to) (?:the )?end of (?:data|message)/i, 'end_of_data'],
  [/\b(?:in reply to|after|response to) (?:the )?data\b/i, 'data'],
  [/\b(?:in reply to|after|response to) (?:the )?(?:ehlo|helo|lhlo)\b/i, 'ehlo'],
  [/\b(?:in reply to|after|response to) (?:the )?starttls\b/i, 'tls'],
  [/\b(?:in reply to|after|response to) (?:the )?auth\b/i, 'auth'],
  [/\bwhile performing the (?:ehlo|helo|lhlo) handshake/i, 'ehlo'],
  [/\bwhile receiving the initial server greeting/i, 'connect'],
  [/\b(?:refused to talk to me|after initial connection)\b/i, 'connect'],
]
