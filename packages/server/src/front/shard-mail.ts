import type { SourceAccepted } from '@posthorn/contract'
import { returnPathToken, unsubscribeToken } from '../domain/sources/return-path.ts'
import type { MailDoor } from '../mail/mail-door.ts'
import type { Front } from './front.ts'
import { mailTarget } from './forward-unsubscribe.ts'
import { readAnswer } from './read-answer.ts'
import { sendToShard, type ShardCall } from './send-to-shard.ts'

/** Sends mail to the shard of the account that the recipient's token names. Only its shard can tell whether it is genuine. */
export function shardMail(front: Front): MailDoor {
  const ask = async (
    address: string,
    call: Pick<ShardCall, 'method' | 'path' | 'body'>,
  ): Promise<unknown> => {
    const token = returnPathToken(address) ?? unsubscribeToken(address) ?? ''
    const answer = await sendToShard(front, mailTarget(token), { ...call, isRepeatable: true })
    const body = await readAnswer(answer)
    if (answer.status !== 200) throw new Error(`the shard answered ${answer.status} to a mail`)
    return body
  }
  return {
    isOwnRecipient: async address => {
      if ((returnPathToken(address) ?? unsubscribeToken(address)) === null) return false
      const path = `/internal/mail/recipient?${new URLSearchParams({ address })}`
      return ((await ask(address, { method: 'GET', path })) as { is_own: boolean }).is_own
    },
    take: async (mail, { recipients, hasNullSender }) => {
      const answers: SourceAccepted[] = []
      for (const recipient of recipients) {
        const query = new URLSearchParams({ recipient, null_sender: String(hasNullSender) })
        const path = `/internal/mail?${query}`
        answers.push((await ask(recipient, { method: 'POST', path, body: mail })) as SourceAccepted)
      }
      return answers
    },
  }
}
