import { plainArray } from '../db/array-literal.ts'
import type { Queryable } from '../db/database.ts'
import type { DecidedOutcome } from '../domain/decided-outcome.ts'
import { isSameRecipient } from '../domain/same-recipient.ts'
import { parseTypeId } from '../domain/type-id.ts'

/**
 * Spells the recipients of emails that Posthorn sent as it sent them, because some mail systems change the case of addresses.
 * Other outcomes stay as they are.
 */
export async function spellAsSent(
  db: Queryable,
  outcomes: readonly DecidedOutcome[],
): Promise<readonly DecidedOutcome[]> {
  const emails = new Map(
    outcomes.flatMap(({ accountId, data, isOncePerRecipient }) => {
      const emailId = isOncePerRecipient === undefined ? null : parseTypeId('em', data.email_id)
      return emailId === null ? [] : [[`${accountId} ${emailId}`, { accountId, emailId }] as const]
    }),
  )
  if (emails.size === 0) return outcomes
  const named = [...emails.values()]
  const rows = await db.query<{ account_id: string; email_id: string; address: string }>(
    `select r.account_id, r.email_id, r.address
     from unnest($1::uuid[], $2::uuid[]) as i (account_id, email_id)
     join email_recipient r on r.account_id = i.account_id and r.email_id = i.email_id`,
    [plainArray(named.map(one => one.accountId)), plainArray(named.map(one => one.emailId))],
  )
  const sent = Map.groupBy(rows, row => `${row.account_id} ${row.email_id}`)
  return outcomes.map(outcome => {
    const [address = ''] = outcome.data.to
    const emailId = parseTypeId('em', outcome.data.email_id)
    const addresses = (sent.get(`${outcome.accountId} ${emailId}`) ?? []).map(row => row.address)
    const found = addresses.includes(address) ? address : addresses.find(one => isSameRecipient(address, one))
    return found === undefined || found === address ? outcome : withRecipient(outcome, found)
  })
}

function withRecipient(outcome: DecidedOutcome, address: string): DecidedOutcome {
  const { data } = outcome
  return { ...outcome, data: { ...data, to: [address], ...('recipient' in data && { recipient: address }) } }
}
