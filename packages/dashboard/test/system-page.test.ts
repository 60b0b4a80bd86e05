import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeInBrowser } from './support/in-browser.ts'
import { type FurnishedStage, furnishedStage } from './support/stage.ts'
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
      expect.stringMatching(/^Other mail servers, from their logs\s+\d\d:\d\d:\d\d\s+\(.+ ago\)$/),
      expect.stringMatching(/^Postfix, from its log\s+\d\d:\d\d:\d\d\s+\(.+ ago\)$/),
      expect.stringMatching(/^Source/),
    ])
  })
})
