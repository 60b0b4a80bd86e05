import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Customer, expectStatus, newCustomer } from '../../server/test/support/api.ts'
import { until } from '../../server/test/support/until.ts'
import type { OpenPage } from './support/browser.ts'
import { describeInBrowser } from './support/in-browser.ts'
import { sendEmail } from './support/send-email.ts'
import { type Stage, startStage } from './support/stage.ts'

describeInBrowser('emails', () => {
  let stage: Stage
  let customer: Customer
  let visit: OpenPage
  let page: Page
  beforeAll(async () => (stage = await startStage()), 240_000)
  afterAll(async () => await stage[Symbol.asyncDispose]())
  beforeEach(async () => {
    customer = await newCustomer(stage.service.url, stage.service.operator, 10)
    visit = await stage.open(customer.apiKey)
    page = visit.page
    return async () => {
      await visit[Symbol.asyncDispose]()
      expect(visit.complaints).toEqual([])
    }
  })

  test('until delivery reports arrive, the page says that acceptance is all we will know', async () => {
    const id = await sendEmail(customer, { to: ['ann@example.org'] })
    await page.goto('/emails')
    await page.getByRole('link', { name: 'Your receipt' }).click()
    const verdict = page.getByRole('region', { name: 'Verdict' })
    await verdict.getByText('That is all we will know, unless it fails.', { exact: false }).waitFor()
    await verdict.getByText('This service gets no delivery reports', { exact: false }).waitFor()

    await report({
      email_id: await sendEmail(customer, { to: ['bo@example.org'] }),
      recipient: 'bo@example.org',
    })
    await verdict.getByText('Our mail server accepted it and tries to deliver it.').waitFor()
    await report({ email_id: id, recipient: 'ann@example.org' })
    await verdict.getByText('The recipient’s mail server accepted it.').waitFor()
    await page.getByText('250 2.0.0 Ok: queued as 4F1C22D').waitFor()
    await page.getByText('Said by mx.example.org [192.0.2.25]', { exact: false }).waitFor()
    await until('the tab says so', async () => (await page.title()).startsWith('✓ Your receipt'))
  })

  test('the list says why an email did not arrive, also on a phone', async () => {
    const id = await sendEmail(customer, { to: ['nobody@example.org'] })
    await sendEmail(customer, { to: ['cy@example.org'] })
    await page.goto('/emails')
    const row = page.getByRole('row').filter({ hasText: 'nobody@' })
    const reason = row.getByText(/^No such mailbox · 550 5\.1\.1 .*User unknown/)
    for (const widthPx of [1440, 390]) {
      await page.setViewportSize({ width: widthPx, height: 844 })
      await row.getByText('Bounced').waitFor()
      await reason.waitFor()
      const isInside = await reason.evaluate(one => one.getBoundingClientRect().left < window.innerWidth)
      expect(isInside).toBe(true)
    }
    await row.getByRole('link').click()
    await page.waitForURL(`**/emails/${id}`)
  })

  test('each recipient shows its deciding reply and links to its event and its suppression', async () => {
    await customer.newWebhook({ url: stage.receiver.url('/nowhere') })
    const id = await sendEmail(customer, {
      to: ['nobody@example.org', 'refused@example.org', 'cy@example.org'],
    })
    await page.goto(`/emails/${id}`)
    const one = (address: string) => page.getByRole('listitem').filter({ hasText: address })
    await one('refused@').getByText('550 5.7.1 Message rejected: it looks like spam').waitFor()
    await one('nobody@').getByText('Recipient address rejected: User unknown', { exact: false }).waitFor()
    await one('nobody@').getByText('when the recipient was named (RCPT TO)', { exact: false }).waitFor()
    expect(await one('cy@').getByRole('link').count()).toBe(0)

    await one('nobody@').getByRole('link', { name: 'Is this address suppressed?' }).click()
    await page.getByText('We send no mail to this address.').waitFor()
    expect(page.url()).not.toContain('nobody')
    await page.goBack()
    await one('nobody@')
      .getByRole('link', { name: /^event/ })
      .click()
    await page.getByRole('heading', { level: 1, name: 'email.bounced to nobody@example.org' }).waitFor()
    const happened = page.getByRole('region', { name: 'Email' })
    await happened.getByText('No such mailbox').waitFor()
    await happened.getByText(/^550 5\.1\.1 .*User unknown/).waitFor()
    await page.getByRole('link', { name: /^email em_/ }).click()
    await page.getByRole('link', { name: 'Webhook deliveries' }).click()
    await until('those of its events are shown', async () => (await page.getByRole('row').count()) === 3)
    await page.getByRole('row').filter({ hasText: 'email.bounced' }).getByRole('link').click()
    await page.getByRole('link', { name: /^email em_/ }).click()
    await page.getByText('Delivered to none of 3 recipients so far.').waitFor()
  })

  test('the list filters by state and by recipient, whose address appears in no URL', async () => {
    await sendEmail(customer, { to: ['cy@example.org'], subject: 'One' })
    await sendEmail(customer, { to: ['nobody@example.org'], subject: 'Two' })
    await sendEmail(customer, { to: ['busy@example.org'], subject: 'Three' })
    await page.goto('/emails')
    const rows = page.getByRole('table').getByRole('link')
    await until('all are shown, newest first', async () => {
      return (await rows.allInnerTexts()).join() === 'Three,Two,One'
    })
    await page.getByRole('group', { name: 'State' }).getByText('Bounced').click()
    await until('one is left', async () => (await rows.allInnerTexts()).join() === 'Two')
    expect(new URL(page.url()).search).toBe('?state=bounced')
    const events = page.getByRole('link', { name: 'all email.bounced events' })
    expect(await events.getAttribute('href')).toBe('/events?type=email.bounced')
    await page.goBack()
    await page.getByLabel('Recipient', { exact: true }).fill('busy@example.org')
    await page.keyboard.press('Enter')
    await until('another is left', async () => (await rows.allInnerTexts()).join() === 'Three')
    expect(page.url()).not.toContain('busy')
    await rows.click()
    await page.getByText('Our mail server has not accepted it yet.').waitFor()
    await page.getByText('450 4.7.1 Greylisted, try again later').waitFor()
  })

  test('an unknown email with an id like ours links to the events about it', async () => {
    const id = 'em_01kb3vqzxxe1x9v5x7c4d2q7m2'
    await customer.report(1, { data: { email_id: id, to: ['ann@example.org'] } })
    await page.goto(`/emails/${id}`)
    await page.getByText('Not found, or not yours.').waitFor()
    await page.getByRole('link', { name: 'Events of an email with this id' }).click()
    await page.getByRole('row').filter({ hasText: 'email.delivered' }).waitFor()
  })

  test('the search finds an email by its id, with the events about it', async () => {
    const id = await sendEmail(customer, { to: ['nobody@example.org'], subject: 'Found' })
    await page.goto('/settings')
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.insertText(id)
    await page.keyboard.press('Enter')
    await page.getByRole('option', { name: /email\.bounced/ }).waitFor()
    await page.getByRole('option', { name: /^Found/ }).click()
    await page.getByRole('heading', { level: 1, name: 'Found' }).waitFor()
  })

  /** As a mail server's log would. */
  async function report(input: { email_id: string; recipient: string }): Promise<void> {
    const outcome = {
      ...input,
      disposition: 'accepted',
      reply: { text: '250 2.0.0 Ok: queued as 4F1C22D' },
      remote_mta: { name: 'mx.example.org', ip: '192.0.2.25' },
    }
    expectStatus(202, await customer.api.post('/v1/outcomes', outcome))
  }
})
