import { expect, test } from 'vitest'
import { findSuppression } from '../../server/src/suppressions/find-suppression.ts'
import { newCustomer, openTestApp } from '../../server/test/http/test-app.ts'
import { newIntake } from '../../server/test/outcomes/new-intake.ts'
import { sendEmail } from '../../server/test/suppressions/sent-email.ts'
import { embedded, openTestDatabase } from '../../server/test/support/test-database.ts'
import { faultsOf } from './support/faults-of.ts'
import { describeInBrowser, sharedBrowser } from './support/in-browser.ts'

describeInBrowser('a recipient unsubscribes', () => {
  test('without JavaScript, with the keyboard, on pages where axe finds no fault', async () => {
    await using db = await openTestDatabase(embedded)
    await using app = await openTestApp(db, { intake: newIntake(db) })
    const baseURL = await app.app.listen({ host: '127.0.0.1', port: 0 })
    const { accountUuid } = await newCustomer(app)
    const { link, address } = await sendEmail(app.ctx, accountUuid)
    const refused = async (list: string): Promise<boolean> =>
      (await findSuppression(app.ctx, accountUuid, address, { list })) !== null

    const browser = await sharedBrowser()
    await using sighted = await browser.newContext({ baseURL })
    const looking = await sighted.newPage()
    for (const path of [link, '/u/forged']) {
      await looking.goto(path)
      expect(await faultsOf(looking)).toEqual([])
    }
    expect(await refused('news')).toBe(false)

    await using plain = await browser.newContext({ baseURL, javaScriptEnabled: false })
    const page = await plain.newPage()
    await page.goto(link)
    await page.keyboard.press('Tab')
    expect(await page.getByLabel('Mailings of the list “news”').isChecked()).toBe(true)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'You are unsubscribed' }).waitFor()
    expect([await refused('news'), await refused('offers')]).toEqual([true, false])

    await page.goto(link)
    await page.getByLabel('All mailings from this sender').check()
    await page.getByRole('button', { name: 'Unsubscribe' }).click()
    await page.getByText('You will get no more mailings from this sender.').waitFor()
    expect(await refused('offers')).toBe(true)
    expect(page.url()).toBe(baseURL + link)
  })
})
