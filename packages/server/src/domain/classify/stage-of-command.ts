import type { Stage } from './stage.ts'

/** The stage in which a server answers this command; undefined if the command is unknown. */
export function stageOfCommand(command: string): Stage | undefined {
  const upper = command.trim().toUpperCase()
  return stages.find(([start]) => upper.startsWith(start))?.[1]
}

const stages: ReadonlyArray<readonly [string, Stage]> = [
  ['MAIL FROM', 'mail_from'],
  ['RCPT TO', 'rcpt_to'],
  ['DATA', 'data'],
  ['.', 'end_of_data'],
  ['BDAT', 'end_of_data'],
  ['STARTTLS', 'tls'],
  ['AUTH', 'auth'],
  ['EHLO', 'ehlo'],
  ['HELO', 'ehlo'],
  ['LHLO', 'ehlo'],
  ['CONNECT', 'connect'],
]
