import type { Email, EmailAccepted } from '@posthorn/contract'
import { type Customer, expectStatus } from '../../../server/test/support/api.ts'
import { until } from '../../../server/test/support/until.ts'

/** Sends an email and waits until the mail server has answered for every recipient. Returns its id. */
export async function sendEmail({ api }: Customer, input: Record<string, unknown>): Promise<string> {
  const body = { from: 'Acme <shop@mail.acme.test>', subject: 'Your receipt', text: 'Thank you.', ...input }
  const { email_id: id } = expectStatus(202, await api.post<EmailAccepted>('/v1/emails', body))
  await until('the mail server was asked for everybody', async () => {
    const { recipients = [] } = expectStatus(200, await api.get<Email>(`/v1/emails/${id}`))
    return recipients.every(({ state, reply }) => state !== 'queued' || reply !== null)
  })
  return id
}
