import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { embedded } from '../support/test-database.ts'
import { about, failed, json, key, signature, webhook } from './mailgun-webhook.ts'
import { useProviderApp, type Webhook } from './provider-app.ts'
import { bodyOf, providerCases, webhookOf } from './provider-cases.ts'
import { sendgridKey } from './samples/sendgrid.ts'

describe('a megabyte', () => {
  const { newSource, send } = useProviderApp(embedded, 'mailgun', key)
  const big = 1024 * 1024 - 400
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const multipart = { 'content-type': 'multipart/form-data; boundary=b' }
  const wrapped = (inner: string): string =>
    `{"signature":${JSON.stringify(signature())},"event-data":${inner}}`

  test.each<[string, Webhook]>([
    ['of random bytes', { headers: json, payload: randomBytes(big) }],
    ['of nesting', { headers: json, payload: '['.repeat(big) }],
    [
      'of nesting with a signature',
      { headers: json, payload: wrapped('['.repeat(big / 2) + ']'.repeat(big / 2)) },
    ],
    ['of fields', { headers: json, payload: wrapped(`{${'"a":1,'.repeat(big / 7)}"a":1}`) }],
    ['of a reply', webhook(failed(550, 'no such user '.repeat(big / 14)))],
    ['of a recipient', webhook(about('delivered', { recipient: `${'a.'.repeat(big / 3)}@example.org` }))],
    ['of form fields', { headers: form, payload: 'a&'.repeat(big / 2) }],
    ['of form escapes', { headers: form, payload: '%41'.repeat(big / 3) }],
    [
      'of form parts',
      {
        headers: multipart,
        payload: `${'--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n'.repeat(big / 54)}--b--`,
      },
    ],
    ['of boundaries', { headers: multipart, payload: '--b\r\n'.repeat(big / 5) }],
  ])('%s is handled within a second', async (_, one) => {
    const { url } = await newSource()
    const before = process.cpuUsage()
    const { status } = await send(url, one)
    expect(cpuMsSince(before)).toBeLessThan(1_000)
    expect(status).toBeLessThan(500)
  })
})

describe('a megabyte of a webhook', () => {
  const { customer, newSource, send } = useProviderApp(embedded, 'sendgrid', sendgridKey)
  const big = 1024 * 1024 - 2_000
  const bodies: ReadonlyArray<readonly [string, Buffer]> = [
    ['random bytes', randomBytes(big)],
    ['nesting', Buffer.from('['.repeat(big / 2) + ']'.repeat(big / 2))],
    ['small values', Buffer.from(`[${'1,'.repeat(big / 2 - 1)}1]`)],
    ['empty events', Buffer.from(`[${'{},'.repeat(9_998)}{}]`)],
    ['spaces', Buffer.from(' '.repeat(big))],
  ]
  const long = '550 (ex (ex <a '.repeat(big / 16)

  test.each(providerCases)('from $kind is handled within a second, whatever it is', async provider => {
    const { url } = await newSource(customer().accountId, provider.key, provider.kind)
    const texts = provider
      .texts(long)
      .map((event, index) => [`text ${index}`, bodyOf(provider, event)] as const)
    for (const [what, body] of [...bodies, ...texts]) {
      const webhook = webhookOf(provider, body)
      const before = process.cpuUsage()
      const { status } = await send(url, webhook)
      expect(cpuMsSince(before), what).toBeLessThan(1_000)
      // it reaches the translation unless it is no JSON
      expect(status, what).toEqual(what.startsWith('text') ? 200 : expect.toBeOneOf([200, 400, 413]))
    }
  })
})

/** What this process, which contains the service, has spent. */
function cpuMsSince(before: NodeJS.CpuUsage): number {
  return process.cpuUsage(before).user / 1_000
}
