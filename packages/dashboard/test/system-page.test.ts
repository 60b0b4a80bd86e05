import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeInBrowser } from './support/in-browser.ts'
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

  test('has a line for each mail provider, also before its first report', async () => {
    await using own = await startStage()
    const { operator, operatorToken, customer } = own.service
    const path = `/v1/accounts/${customer.accountId}/sources`
    const source = { kind: 'mailgun', key: 'a-webhook-signing-key' }
    const created = await operator.post<{ id: string }>(path, source)
    await using opened = await own.open(operatorToken)
    await visit(opened.page, '/operator/system')
    const table = opened.page.getByRole('table', { name: 'Mail providers' })
    expect(await table.getByRole('row').last().innerText()).toMatch(/^Mailgun for .+\s+0\s+0\s+0\s+none yet$/)
    await operator.delete(`${path}/${created.body.id}`)
  })
})
