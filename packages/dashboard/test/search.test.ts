import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Customer, expectStatus, newCustomer } from '../../server/test/support/api.ts'
import { until } from '../../server/test/support/until.ts'
import type { OpenPage } from './support/browser.ts'
import { faultsOf } from './support/faults-of.ts'
import { describeInBrowser } from './support/in-browser.ts'
import { sendEmail } from './support/send-email.ts'
import { type Stage, startStage } from './support/stage.ts'

describeInBrowser('the search', () => {
  let stage: Stage
  let customer: Customer
  let visit: OpenPage
  let page: Page
  beforeAll(async () => {
    stage = await startStage()
    customer = await newCustomer(stage.service.url, stage.service.operator, 10)
    stage.receiver.behave('/in', { kind: 'answers', status: 503 })
    const webhook = await customer.newWebhook({ url: stage.receiver.url('/in') })
    for (const type of ['email.delivered', 'email.unsubscribed'])
      await customer.report(1, { type, data: { email_id: 'ABC-123/4', to: ['ann@example.org'] } })
    await customer.report(1, { data: { email_id: 'em_only', to: ['bo@example.org'] } })
    await until('all have failed', async () => {
      return (await customer.deliveries(webhook.id, '&state=failed')).length === 3
    })
  }, 240_000)
  afterAll(async () => await stage[Symbol.asyncDispose]())
  beforeEach(async () => {
    visit = await stage.open(customer.apiKey)
    page = visit.page
    await page.goto('/settings')
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
    return async () => {
      await visit[Symbol.asyncDispose]()
      expect(visit.complaints).toEqual([])
    }
  })

  test('lists several matches, newest first with state and reason, and opens the selected one', async () => {
    await page.keyboard.press('Control+k')
    await page.keyboard.insertText('bounced? id=ABC-123/4')
    await page.keyboard.press('Control+a')
    await page.keyboard.insertText('ABC-123/4')
    await page.keyboard.press('Enter')
    const options = page.getByRole('listbox', { name: 'Matches' }).getByRole('option')
    await options.nth(1).waitFor()
    expect(await options.allInnerTexts()).toEqual([
      expect.stringMatching(
        /email\.unsubscribed to ann@example\.org[^]*Webhook failed: 503 from your server/,
      ),
      expect.stringMatching(/email\.delivered to ann@example\.org[^]*Webhook failed: 503 from your server/),
    ])
    await page.getByRole('listbox', { name: 'Matches' }).getByRole('group', { name: 'Events' }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'email.delivered to ann@example.org' }).waitFor()
    await page
      .getByRole('region', { name: 'Email' })
      .getByText('The recipient’s mail server accepted it.')
      .waitFor()
    await page
      .getByRole('region', { name: 'Webhook' })
      .getByText('Your server answered 503.')
      .first()
      .waitFor()
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('main')
  })

  test('opens a single match at once and says if there is none', async () => {
    await page.keyboard.press('/')
    await page.keyboard.insertText('"email":"em_only",')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'email.delivered to bo@example.org' }).waitFor()

    await page.keyboard.press('/')
    await page.keyboard.insertText('evt_01kb3vqzxxe1x9v5x7c4d2q7m2')
    await page.keyboard.press('Enter')
    await page
      .getByText(/Nothing has this id in the last \d+ days\. Older events are deleted\./)
      .first()
      .waitFor()
  })

  test('says at once that nothing was found, and what can be, without Enter', async () => {
    await page.keyboard.press('/')
    await page.keyboard.type('zzz@nowhere.example')
    await page
      .getByText(
        /Nothing found for “zzz@nowhere\.example”\. No suppression, no sent email, and no event of the last/,
      )
      .waitFor()
    await page.keyboard.press('Control+a')
    await page.keyboard.type('shop')
    await page.getByText('Nothing found for “shop”. You can search for the name or URL').waitFor()
    await page.getByRole('option', { name: 'Email with the id “shop”' }).waitFor()
  })

  test('finds an endpoint by its URL', async () => {
    await page.keyboard.press('/')
    await page.keyboard.insertText(`${stage.receiver.url('/in')}/`)
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/endpoints\/wh_/)
  })

  test('a recipient is sent only to our API and appears in no URL, history or browser storage', async () => {
    const asked: string[] = []
    page.on('request', request => asked.push(request.url()))
    const addresses: string[] = []
    page.on('framenavigated', frame => addresses.push(frame.url()))
    await page.keyboard.press('/')
    await page.keyboard.insertText('to=<ann@example.org>')
    await page.getByRole('listbox', { name: 'Matches' }).getByRole('option').nth(1).click()
    await page.getByRole('heading', { level: 1, name: /ann@example.org/ }).waitFor()

    await page.goto('/events')
    await page.getByRole('textbox', { name: 'Recipient' }).fill('ann@example.org')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: /Remove filter to ann@example\.org/ }).waitFor()
    await until('only hers are shown', async () => (await page.getByRole('row').count()) === 3)
    const left = await page.evaluate(() =>
      JSON.stringify([
        location.href,
        history.state,
        Object.entries(localStorage),
        Object.entries(sessionStorage),
      ]),
    )
    expect(`${left} ${addresses.join(' ')}`).not.toContain('example.org')
    expect(new Set(asked.map(url => new URL(url).origin))).toEqual(new Set([stage.service.url]))
    const told = asked.filter(url => url.includes('example.org'))
    expect(told.length).toBeGreaterThan(0)
    expect(told.filter(url => !url.startsWith(`${stage.service.url}/v1/`))).toEqual([])

    // back and forward keep the filter, in memory
    await page.getByRole('table').getByRole('link').first().click()
    await page.getByRole('heading', { level: 1, name: /ann@example.org/ }).waitFor()
    await page.goBack()
    await page.getByRole('button', { name: /Remove filter to ann@example\.org/ }).waitFor()
  })

  test('finds names, pages and actions while somebody types, grouped for a screen reader', async () => {
    const { id } = await customer.newWebhook({ url: stage.receiver.url('/crm'), description: 'CRM' })
    await page.keyboard.press('/')
    await page.keyboard.type('crm')
    const list = page.getByRole('listbox', { name: 'Matches' })
    await list.getByRole('group', { name: 'Endpoints' }).getByRole('option', { name: /^CRM/ }).waitFor()
    await list
      .getByRole('group', { name: 'Actions' })
      .getByRole('option', { name: 'Rotate key of CRM' })
      .waitFor()
    const box = page.getByRole('search').getByRole('combobox')
    const chosen = list.getByRole('option', { selected: true })
    await chosen.waitFor()
    expect(await box.getAttribute('aria-activedescendant')).toBe(await chosen.getAttribute('id'))
    expect(await faultsOf(page)).toEqual([])

    await page.keyboard.press('Control+a')
    await page.keyboard.type('rotate crm')
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/endpoints/${id}/keys`)

    await page.keyboard.press('Control+k')
    await page.keyboard.type('add supp')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Suppress an address' }).waitFor()
    await page.keyboard.press('Escape')
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'Suppressions' }).waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  test('opens the best match of all names, even if Enter comes before they are loaded', async () => {
    const { id } = await customer.newWebhook({ url: stage.receiver.url('/ledger'), description: 'Ledger' })
    let answer = (): void => {}
    const isAsked = new Promise<void>(resolve => {
      void page.route('**/v1/webhooks?*', async route => {
        resolve()
        await new Promise<void>(release => (answer = release))
        await route.continue()
      })
    })
    await page.keyboard.press('/')
    await page.keyboard.type('ledger')
    await isAsked
    await page.keyboard.press('Enter')
    answer()
    await page.waitForURL(`**/endpoints/${id}`)
  })

  test('sends a test event to the endpoint that the reader names, once, and shows the result there', async () => {
    stage.receiver.behave('/till', { kind: 'answers', status: 200 })
    const { id } = await customer.newWebhook({ url: stage.receiver.url('/till'), description: 'Till' })
    await page.keyboard.press('/')
    await page.keyboard.type('send test event')
    await page.keyboard.press('Enter')
    const list = page.getByRole('listbox', { name: 'Matches' })
    await list.getByRole('option', { name: 'Send test event to Till' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/settings')
    await page.keyboard.type('till')
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/endpoints/${id}`)
    await page
      .getByText(/200 in /)
      .first()
      .waitFor()

    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'Till' }).waitFor()
    await page.getByRole('button', { name: 'Send test' }).waitFor()
    expect(await customer.deliveries(id)).toHaveLength(1)
  })

  test('finds addresses by their first characters and says where it looked', async () => {
    await sendEmail(customer, { to: ['prefix@example.org'] })
    expectStatus(201, await customer.api.post('/v1/suppressions', { address: 'prefix@other.example' }))
    await page.keyboard.press('/')
    await page.keyboard.type('prefix@')
    const group = page.getByRole('group', { name: 'Addresses in suppressions and sent emails' })
    await group.getByRole('option', { name: /prefix@example\.org in emails/ }).waitFor()
    await group.getByRole('option', { name: /prefix@other\.example in suppressions/ }).click()
    await page.getByText('We send no mail to this address.').waitFor()
    expect(page.url()).not.toContain('prefix')
  })

  test('a secret pasted by mistake is sent nowhere', async () => {
    const asked: string[] = []
    page.on('request', request => asked.push(`${request.url()} ${request.postData()}`))
    await page.keyboard.press('/')
    await page.keyboard.insertText('whsec_0123456789012345678901234567890123456789012')
    await page.keyboard.press('Enter')
    await page.getByText('You can search for the name or URL', { exact: false }).first().waitFor()
    expect(asked.join(' ')).not.toContain('whsec')
  })
})
