import { afterAll, beforeAll, expect, test } from 'vitest'
import { faultsOf } from './support/faults-of.ts'
import { describeInBrowser } from './support/in-browser.ts'
import { lasting } from './support/lasting.ts'
import { widerThanWindow } from './support/readable.ts'
import { type FurnishedStage, furnishedStage, startStage } from './support/stage.ts'
import { visit } from './support/visit.ts'

describeInBrowser('the page System', () => {
  let stage: FurnishedStage
  beforeAll(async () => {
    stage = await furnishedStage()
  }, 240_000)
  afterAll(async () => await stage[Symbol.asyncDispose]())

  test('has a line for each mail source with its last report', async () => {
    await using opened = await stage.open(stage.service.operatorToken)
    const { page } = opened
    await visit(page, '/operator/system')
    const rows = await page.getByRole('table', { name: 'Mail sources' }).getByRole('row').allInnerTexts()
    expect(rows.toSorted()).toEqual([
      expect.stringMatching(/^Other logs\s+\d\d:\d\d:\d\d\s+\(.+ ago\)$/),
      expect.stringMatching(/^Postfix, from its log\s+\d\d:\d\d:\d\d\s+\(.+ ago\)$/),
      expect.stringMatching(/^Source/),
    ])
  })

  test('has a line for each mail provider, also before its first report; the account lists it too', async () => {
    await using own = await startStage()
    const { operator, operatorToken, customer } = own.service
    const path = `/v1/accounts/${customer.accountId}/sources`
    const source = { kind: 'mailgun', key: 'a-webhook-signing-key' }
    const created = await operator.post<{ id: string }>(path, source)
    await using opened = await own.open(operatorToken)
    await visit(opened.page, '/operator/system')
    const table = opened.page.getByRole('table', { name: 'Mail providers' })
    expect(await table.getByRole('row').last().innerText()).toMatch(/^Mailgun for .+\s+0\s+0\s+0\s+none yet$/)
    await opened.page.setViewportSize({ width: 390, height: 900 })
    expect(await table.getByRole('row').last().innerText()).toMatch(
      /^Mailgun for .+\s+Events\s+0\s+Ignored\s+0\s+Refused\s+0\s+Last report\s+none yet$/,
    )
    await visit(opened.page, `/operator/accounts/${customer.accountId}`)
    expect(await table.getByRole('row').last().innerText()).toMatch(
      /^Mailgun\s+Source\s+src_\w+…\w+\s+Events\s+0\s+Ignored\s+0\s+Refused\s+0\s+Last report\s+none yet$/,
    )
    expect(await lasting(opened.page, widerThanWindow)).toEqual([])
    expect(await faultsOf(opened.page)).toEqual([])
    await operator.delete(`${path}/${created.body.id}`)
    expect(opened.complaints).toEqual([])
  })
})
