import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildDashboard } from '../../../tools/build-dashboard.ts'
import { openShards, type TestInstallation } from '../../server/test/support/shards.ts'
import { openPage } from './support/browser.ts'
import { describeInBrowser, sharedBrowser } from './support/in-browser.ts'
import { visit } from './support/visit.ts'

describeInBrowser('an installation with several shards', () => {
  let shards: TestInstallation
  beforeAll(async () => {
    await buildDashboard()
    shards = await openShards(2)
    for (const shard of [0, 1]) await shards.customerOn(shard)
  }, 240_000)
  afterAll(async () => await shards[Symbol.asyncDispose]())

  test('shows each shard on the pages System and Health, and says which one is down', async () => {
    const credential = shards.adminToken
    await using visitor = await openPage(await sharedBrowser(), { url: shards.url, credential })
    const { page, complaints } = visitor
    const table = page.getByRole('table', { name: 'Shards' })

    await visit(page, '/operator/system')
    expect(await table.getByRole('row').allInnerTexts()).toEqual([
      expect.stringMatching(/^State/),
      expect.stringMatching(/^Up\s+Shard 0/),
      expect.stringMatching(/^Up\s+Shard 1/),
    ])
    await page.getByText('The rest of this page is about shard 0.').waitFor()
    await table.getByRole('link', { name: 'Shard 1' }).click()
    await page.getByText('The rest of this page is about shard 1.').waitFor()
    expect(new URL(page.url()).search).toBe('?shard=1')

    await visit(page, '/operator')
    await table.waitFor()
    await shards.shards[1]?.stop()
    await page.getByText('Shard 1 does not answer.').waitFor()
    await table.getByText('Down').waitFor()
    await visit(page, '/operator/accounts')
    await page.getByText('This list is incomplete, because shard 1 does not answer.').waitFor()
    expect(complaints).toEqual([])
  })
})
