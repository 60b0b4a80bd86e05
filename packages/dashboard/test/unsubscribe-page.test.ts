import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { examples } from '@posthorn/contract'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../../server/src/db/database.ts'
import { unsubscribeLanguages, unsubscribeWords } from '../../server/src/http/unsubscribe-words.ts'
import { findSuppression } from '../../server/src/suppressions/find-suppression.ts'
import { call, newCustomer, openTestApp, type TestApp } from '../../server/test/http/test-app.ts'
import { newIntake } from '../../server/test/outcomes/new-intake.ts'
import { sendEmail } from '../../server/test/suppressions/sent-email.ts'
import { embedded, openTestDatabase } from '../../server/test/support/test-database.ts'
import { faultsOf } from './support/faults-of.ts'
import { describeInBrowser, sharedBrowser } from './support/in-browser.ts'

describeInBrowser('a recipient unsubscribes', () => {
  let db: Database
  let app: TestApp
  let baseURL: string
  beforeAll(async () => {
    db = await openTestDatabase(embedded)
    app = await openTestApp(db, { intake: newIntake(db) })
    baseURL = await app.app.listen({ host: '127.0.0.1', port: 0 })
  })
  afterAll(async () => {
    await app[Symbol.asyncDispose]()
    await db[Symbol.asyncDispose]()
  })

  async function newEmail(branding: object = {}, email: Parameters<typeof sendEmail>[2] = {}) {
    const { apiKey: as, accountUuid } = await newCustomer(app)
    await call(app, 'PATCH', '/v1/branding', { as, json: branding })
    const { link, address } = await sendEmail(app.ctx, accountUuid, email)
    const refused = async (list: string): Promise<boolean> =>
      (await findSuppression(app.ctx, accountUuid, address, { list })) !== null
    return { link, refused }
  }

  /** A page, with the requests that it makes and what the browser complains about. */
  async function open(options: BrowserContextOptions = {}) {
    const browser = await sharedBrowser()
    const context = await browser.newContext({ baseURL, ...options })
    const page = await context.newPage()
    const requests: string[] = []
    const complaints: string[] = []
    page.on('request', request => {
      if (!request.url().startsWith('data:')) requests.push(new URL(request.url()).pathname)
    })
    page.on('console', message => complaints.push(message.text()))
    page.on('pageerror', error => complaints.push(error.message))
    return { page, requests, complaints, [Symbol.asyncDispose]: async () => await context.close() }
  }

  test('without JavaScript, with the keyboard, and can undo it at once and later', async () => {
    const { link, refused } = await newEmail()
    await using visit = await open({ javaScriptEnabled: false })
    const { page } = visit
    await page.goto(link)
    expect(await refused('news')).toBe(false)
    await page.keyboard.press('Tab')
    expect(await page.getByLabel('Emails of the list “news”').isChecked()).toBe(true)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'You are unsubscribed' }).waitFor()
    expect([await refused('news'), await refused('offers')]).toEqual([true, false])

    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('heading', { name: 'You are subscribed again' }).waitFor()
    expect(await refused('news')).toBe(false)

    await page.goto(link)
    await page.getByLabel('All mailings from this sender').check()
    await page.getByRole('button', { name: 'Unsubscribe' }).click()
    await page.getByText('You will get no more mailings from this sender.').waitFor()
    expect(await refused('offers')).toBe(true)
    expect(page.url()).toBe(baseURL + link)

    await page.goto(link)
    await page.getByRole('heading', { name: 'You are unsubscribed' }).waitFor()
    expect(await refused('offers')).toBe(true)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('heading', { name: 'You are subscribed again' }).waitFor()
    expect([await refused('news'), await refused('offers')]).toEqual([false, false])
  })

  test('from one list, and then from all on a second visit', async () => {
    const { link, refused } = await newEmail()
    await using visit = await open()
    const { page } = visit
    await page.goto(link)
    await page.getByRole('button', { name: 'Unsubscribe' }).click()
    await page.getByRole('heading', { name: 'You are unsubscribed' }).waitFor()
    await page.goto(link)
    await page.getByRole('button', { name: 'Stop all mailings from this sender' }).click()
    await page.getByText('You will get no more mailings from this sender.').waitFor()
    expect(await refused('offers')).toBe(true)
  })

  const brandings = {
    none: {},
    usual: examples.updateBranding.body,
    pale: { name: 'Acme', color: '#fffde0' },
    dark: { name: 'Acme', color: '#1d1d21' },
    long: {
      name: 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft mbH & Co. KG',
    },
    hostile: { name: '</bdi></style><script>alert(1)</script>\u202E\u2067 שלום' },
  }
  const looks = [
    { colorScheme: 'light', viewport: { width: 1280, height: 800 } },
    { colorScheme: 'dark', viewport: { width: 390, height: 844 } },
    { colorScheme: 'light', viewport: { width: 320, height: 568 } },
    { colorScheme: 'dark', viewport: { width: 320, height: 568 }, forcedColors: 'active' },
  ] as const

  test.each(Object.entries(brandings))(
    'on pages without faults in both themes and all widths, with %s branding',
    async (_, branding) => {
      for (const look of looks) {
        // the page of a list with a long name is the widest
        const { link } = await newEmail(branding, { list: `news-${'x'.repeat(200)}` })
        await using visit = await open(look)
        const { page } = visit
        await page.goto(link)
        await expectSound(page)
        await page.getByRole('button', { name: 'Unsubscribe' }).click()
        await page.getByRole('heading', { name: 'You are unsubscribed' }).waitFor()
        await expectSound(page)
        await page.getByRole('button', { name: 'Undo' }).click()
        await page.getByRole('heading', { name: 'You are subscribed again' }).waitFor()
        await expectSound(page)
        expect(visit.complaints).toEqual([])
        // nothing but the page itself
        expect([...new Set(visit.requests)]).toEqual([link])
      }
    },
  )

  test('at a dead link on a page without faults', async () => {
    await using visit = await open()
    await visit.page.goto('/u/forged')
    await expectSound(visit.page)
    expect(visit.requests).toEqual(['/u/forged'])
  })

  test('with the logo drawn, and the button in the color of the account', async () => {
    const logo = readFileSync(new URL('support/acme-logo.png', import.meta.url)).toString('base64')
    const branding = { name: 'Acme Shop', color: '#0f766e', logo }
    const { link } = await newEmail(branding, { list: 'weekly-offers' })
    await using visit = await open({ viewport: { width: 1280, height: 640 }, colorScheme: 'light' })
    const { page } = visit
    await page.goto(link)
    expect(await page.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(300)
    const button = page.getByRole('button', { name: 'Unsubscribe' })
    expect(await button.evaluate(element => getComputedStyle(element).backgroundColor)).toBe(
      'rgb(15, 118, 110)',
    )
    expect(await page.title()).toBe('Unsubscribe')
    if (process.env['POSTHORN_SCREENSHOTS'] === undefined) return
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      const path = `../../../docs/screenshots/unsubscribe-${colorScheme}.png`
      await page.screenshot({ path: fileURLToPath(new URL(path, import.meta.url)) })
    }
  })

  test.each(unsubscribeLanguages)('in %s', async language => {
    const words = unsubscribeWords[language]
    const { link } = await newEmail()
    await using visit = await open({ locale: language, viewport: { width: 320, height: 568 } })
    const { page } = visit
    await page.goto(link)
    expect(await page.locator('html').getAttribute('lang')).toBe(language)
    await expectSound(page)
    await page.getByRole('button', { name: words.unsubscribe }).click()
    await page.getByRole('heading', { name: words.done }).waitFor()
    await expectSound(page)
    await page.getByRole('button', { name: words.undo, exact: true }).click()
    await page.getByRole('heading', { name: words.undone }).waitFor()
  })
})

/** Axe finds nothing, and nothing is wider than the window. */
async function expectSound(page: Page): Promise<void> {
  expect(await faultsOf(page)).toEqual([])
  const { content, window } = await page.evaluate(() => ({
    content: document.documentElement.scrollWidth,
    window: innerWidth,
  }))
  expect(content).toBeLessThanOrEqual(window)
}
