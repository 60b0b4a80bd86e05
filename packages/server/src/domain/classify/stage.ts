/** The stages of sending an email. */
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

/** The SMTP command of a stage, as events name it. */
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
 * Whether a reply at this stage can be about the recipient. Before RCPT TO the server does not know the recipient. After it, a
 * reply is about the whole transaction, so it counts only if there was one recipient.
 */
export function isAboutRecipient(stage: Stage | null, recipientsInTransaction: number): boolean {
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

/** Finds the stage in the words that Postfix and Exim add to a reply. */
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
