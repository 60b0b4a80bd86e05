import type { NoticeWebhookSaved } from '@posthorn/contract'
import { verifyWebhook } from '@posthorn/receiver'
import { type Customer, expectStatus } from '../support/api.ts'
import { type Received, startReceiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'

export interface Notice {
  id: string
  type: string
  data: Record<string, unknown>
}

/** The notice receiver of a test's customer. It verifies each notice with the library. */
export interface NoticeInbox extends AsyncDisposable {
  secret: string
  /** The distinct notices, in the order of arrival. */
  notices(): Promise<Notice[]>
  /** The ids of the deliveries with these notices. */
  deliveryIds(): string[]
  /** Waits for the first notice with this type, and with this code if given. */
  waitFor(type: string, code?: string): Promise<Notice>
}

export async function openNoticeInbox(customer: Customer): Promise<NoticeInbox> {
  const receiver = await startReceiver()
  const { secret } = expectStatus(
    200,
    await customer.api.put<NoticeWebhookSaved>('/v1/notice-webhook', { url: receiver.url('/notices') }),
  )
  if (secret === null) throw new Error('the notice webhook was there before')
  const notices = async (): Promise<Notice[]> => {
    const byId = new Map<string, Notice>()
    for (const one of receiver.received) {
      const notice = await verified(one, secret)
      byId.set(notice.id, notice)
    }
    return [...byId.values()]
  }
  return {
    secret,
    notices,
    deliveryIds: () => receiver.received.map(one => String(one.headers['x-service-delivery-id'])),
    waitFor: async (type, code) =>
      await until(`a notice ${type} ${code ?? ''} arrives`, async () =>
        (await notices()).find(one => one.type === type && (code === undefined || one.data['code'] === code)),
      ),
    [Symbol.asyncDispose]: async () => await receiver[Symbol.asyncDispose](),
  }
}

async function verified(one: Received, secret: string): Promise<Notice> {
  await verifyWebhook(one.body, one.signature, secret)
  return JSON.parse(one.body.toString()) as Notice
}
