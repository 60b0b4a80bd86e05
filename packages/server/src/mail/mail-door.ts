import type { SourceAccepted } from '@posthorn/contract'

/** What happens to mail that other servers send to Posthorn. */
export interface MailDoor {
  /** Whether the address is a return path or an unsubscribe address of this installation. */
  isOwnRecipient(address: string): Promise<boolean>
  /** Processes a mail for each of its recipients. Resolves after it is stored. */
  take(mail: Buffer, envelope: MailEnvelope): Promise<SourceAccepted[]>
}

export interface MailEnvelope {
  readonly recipients: readonly string[]
  readonly hasNullSender: boolean
}
