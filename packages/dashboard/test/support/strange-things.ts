import type { SendingDomain } from '@posthorn/contract'
import { expectStatus } from '../../../server/test/support/api.ts'
import { until } from '../../../server/test/support/until.ts'
import { dkimName } from './furnish-mail.ts'
import { sendEmail } from './send-email.ts'
import type { Stage } from './stage.ts'

export const markup = '<img src=x alt=planted><b id=planted>bold</b><script>planted()</script>'
export const rightToLeft = '\u202Edrawkcab\u2066'
export const longWord = 'w'.repeat(10_000)
const receiverBody = `${markup}\u0000${rightToLeft}${longWord}`

/** The ids of objects with text that could break the page. */
export interface StrangeThings {
  readonly webhookId: string
  readonly deliveryId: string
  readonly eventId: string
  readonly domainId: string
  readonly emailId: string
}

/** An endpoint, an event with a failed delivery, a suppression, a domain and an email, all with strange texts. */
export async function storeStrangeThings(stage: Stage): Promise<StrangeThings> {
  const { receiver, service } = stage
  const path = `/hook/${encodeURIComponent(markup)}/${'p'.repeat(1_500)}`
  receiver.behave(path, { kind: 'answers', status: 500, body: receiverBody })
  const webhook = await service.customer.newWebhook({
    url: receiver.url(path),
    description: `${markup} ${rightToLeft} ${'d'.repeat(300)}`,
    headers: { [`X-${'N'.repeat(60)}`]: `${markup} ${'v'.repeat(900)}` },
  })
  const renamed = { description: `${webhook.description} again` }
  expectStatus(200, await service.customer.api.patch(`/v1/webhooks/${webhook.id}`, renamed))
  const outcome = {
    type: 'email.delivered',
    data: {
      email_id: `em_${'e'.repeat(100)}`,
      to: ['"<img src=x alt=planted>"@example.org', `${'l'.repeat(60)}@${'x'.repeat(60)}.example`],
      subject: `${markup} ${rightToLeft} ${'s'.repeat(800)}`,
    },
  }
  const { api } = service.customer
  const reported = expectStatus(202, await api.post<{ events: string[] }>('/v1/outcomes', [outcome]))
  const delivery = await until(
    'it has failed',
    async () => (await service.customer.deliveries(webhook.id, '&state=failed'))[0],
  )
  const suppressed = { address: outcome.data.to[0], scope: { type: 'list', id: `${markup} ${rightToLeft}` } }
  expectStatus(201, await api.post('/v1/suppressions', suppressed))
  const domainId = await strangeDomain(stage)
  const emailId = await strangeEmail(stage)
  return {
    webhookId: webhook.id,
    deliveryId: delivery.id,
    eventId: reported.events[0] ?? '',
    domainId,
    emailId,
  }
}

/** An email that the mail server answers with strange text. */
async function strangeEmail({ service: { customer } }: Stage): Promise<string> {
  const text = `${markup} ${rightToLeft}`
  const emailId = await sendEmail(customer, {
    to: ['strange@example.org', 'queer@example.org'],
    subject: `${text} ${'s'.repeat(800)}`,
    tags: { [`${markup.slice(0, 60)}`]: text },
    metadata: { strange: `${text} ${'m'.repeat(900)}` },
    unsubscribe: { list: text },
  })
  const told = { email_id: emailId, recipient: 'strange@example.org', disposition: 'permanent' }
  const remote = { name: `${markup} ${rightToLeft} ${'h'.repeat(100)}` }
  const reply = { text: `550 5.7.1 ${text} ${longWord}` }
  expectStatus(202, await customer.api.post('/v1/outcomes', { ...told, reply, remote_mta: remote }))
  return emailId
}

/** A domain with strange text in its DNS records. */
async function strangeDomain({ service: { customer, dns } }: Stage): Promise<string> {
  const name = `${'x'.repeat(60)}.${'y'.repeat(60)}.example`
  const domain = expectStatus(201, await customer.api.post<SendingDomain>('/v1/domains', { name }))
  dns.txt(dkimName(domain), `v=DKIM1; p=${markup} ${rightToLeft}`, 'w'.repeat(900))
  expectStatus(200, await customer.api.post(`/v1/domains/${domain.id}/check`))
  return domain.id
}

/** Texts with an unisolated direction mark. Runs in the page. */
export function textsThatTurnTheirNeighbours(): string[] {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const found: string[] = []
  while (texts.nextNode() !== null) {
    const { nodeValue, parentElement } = texts.currentNode
    const isIsolated = parentElement?.closest('bdi, textarea') !== null
    if (/[\u202A-\u202E\u2066-\u2069]/.test(nodeValue ?? '') && !isIsolated) found.push(nodeValue ?? '')
  }
  return found
}
