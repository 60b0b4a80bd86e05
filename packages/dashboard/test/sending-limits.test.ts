import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectStatus } from '../../server/test/support/api.ts'
import { faultsOf } from './support/faults-of.ts'
import { describeInBrowser } from './support/in-browser.ts'
import { lasting } from './support/lasting.ts'
import { widerThanWindow } from './support/readable.ts'
import { sendEmail } from './support/send-email.ts'
import { type Stage, startStage } from './support/stage.ts'
import { visit } from './support/visit.ts'

describeInBrowser('sending limits', () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await startStage()
  }, 240_000)
  afterAll(async () => await stage[Symbol.asyncDispose]())

  async function expectReadable(page: Page): Promise<void> {
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 900 })
      expect(await lasting(page, widerThanWindow)).toEqual([])
      expect(await faultsOf(page)).toEqual([])
    }
  }

  test('the operator sets limits, suspends the account and lifts the suspension; the customer reads why', async () => {
    const { customer, operator, operatorToken } = stage.service
    await using operating = await stage.open(operatorToken)
    await using reading = await stage.open(customer.apiKey)
    const page = operating.page
    await visit(page, `/operator/accounts/${customer.accountId}`)
    await page.getByLabel('Messages per hour').fill('5')
    await page.getByRole('button', { name: 'Save limits' }).click()
    await page.getByText('0 sent this hour.').waitFor()
    const account = async () => (await operator.get(`/v1/accounts/${customer.accountId}`)).body
    expect(await account()).toMatchObject({ messages_per_hour: 5, messages_per_day: null })

    await page.getByRole('button', { name: 'Suspend', exact: true }).click()
    const ask = page.getByRole('dialog', { name: /^Suspend / })
    await ask.getByText('until you lift the suspension').waitFor()
    await page.setViewportSize({ width: 1280, height: 900 })
    const box = await ask.boundingBox()
    expect(box?.y).toBeGreaterThan(100)
    expect(box?.y).toBeCloseTo(900 - (box?.y ?? 0) - (box?.height ?? 0), 0)
    await expectReadable(page)
    await ask.getByRole('button', { name: 'Cancel' }).click()
    expect(await account()).toMatchObject({ suspended_at: null })
    await page.getByRole('button', { name: 'Suspend', exact: true }).click()
    await ask.getByRole('button', { name: 'Suspend' }).click()
    await page.getByRole('region', { name: 'Suspension' }).getByText('the operator suspended it').waitFor()
    expect(await account()).toMatchObject({ suspended_reason: 'operator' })
    await expectReadable(page)

    for (const path of ['/', '/emails']) {
      await visit(reading.page, path)
      const notice = reading.page.getByRole('region', { name: 'Sending' })
      await notice
        .getByText(/^Your account cannot send emails since .*: the operator suspended it\.$/)
        .waitFor()
      expect(await notice.innerText()).toContain('ask the operator: only they can lift the suspension')
      await expectReadable(reading.page)
    }
    await visit(page, '/operator/accounts')
    await page.getByRole('row').filter({ hasText: 'Suspended' }).first().waitFor()

    await visit(page, `/operator/accounts/${customer.accountId}`)
    await page.getByRole('button', { name: 'Lift suspension' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Lift suspension' }).click()
    await page.getByText('The account may send emails.').waitFor()
    const changes = page.getByRole('table', { name: 'Audit log' })
    await changes.getByText(/^lifted the suspension of the account/).waitFor()
    await changes.getByText(/^suspended the account/).waitFor()
    expect(await changes.innerText()).not.toMatch(/\w_\w/)
    expect(await account()).toMatchObject({ suspended_at: null, messages_per_hour: 5 })
    await visit(reading.page, '/emails')
    await reading.page.getByText('0 of 5 messages this hour').waitFor()
    expect(await reading.page.getByRole('region', { name: 'Sending' }).count()).toBe(0)
    expect([...operating.complaints, ...reading.complaints]).toEqual([])
  })

  test('a reached limit says how much was sent, until when, and who can raise it', async () => {
    const { customer, operator, operatorToken } = stage.service
    const limits = { messages_per_hour: null, messages_per_day: 2 }
    expectStatus(200, await operator.patch(`/v1/accounts/${customer.accountId}`, limits))
    await sendEmail(customer, { to: ['ann@example.org', 'bo@example.org'] })
    await using reading = await stage.open(customer.apiKey)
    for (const path of ['/', '/emails']) {
      await visit(reading.page, path)
      const notice = reading.page.getByRole('region', { name: 'Sending' })
      await notice.getByText('Your account has sent 2 of 2 messages this day.').waitFor()
      expect(await notice.innerText()).toMatch(
        /no new emails until .*00:00.*ask the operator to raise the limit/,
      )
      await expectReadable(reading.page)
    }
    expect(reading.complaints).toEqual([])

    await using operating = await stage.open(operatorToken)
    await visit(operating.page, `/operator/accounts/${customer.accountId}`)
    const limit = operating.page.getByRole('region', { name: 'Limit' })
    await limit
      .getByText(/^The account has sent 2 of 2 messages this day\. It may send again at .*00:00\.$/)
      .waitFor()
    expect(await operating.page.getByText('The account may send emails.').count()).toBe(0)
    await expectReadable(operating.page)
  })
})
