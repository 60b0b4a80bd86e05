import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { OpenPage } from './support/browser.ts'
import { describeInBrowser } from './support/in-browser.ts'
import { type Stage, startStage } from './support/stage.ts'
import { visit } from './support/visit.ts'

describeInBrowser('shortcuts', () => {
  let stage: Stage
  let visitor: OpenPage
  let page: Page
  beforeAll(async () => {
    stage = await startStage()
    await stage.service.customer.report(3)
  }, 240_000)
  afterAll(async () => await stage[Symbol.asyncDispose]())
  beforeEach(async () => {
    visitor = await stage.open()
    page = visitor.page
    return async () => {
      await visitor[Symbol.asyncDispose]()
      expect(visitor.complaints).toEqual([])
    }
  })

  test('open every page in the sidebar with g and a letter', async () => {
    await visit(page, '/settings')
    const sidebar = page.getByRole('navigation').getByRole('link')
    await sidebar.first().waitFor()
    const pages = await sidebar.count()
    await page.keyboard.press('?')
    const list = page.getByRole('dialog', { name: 'Shortcuts' })
    const ways = await list
      .getByRole('definition')
      .filter({ hasText: /^Go to/ })
      .allInnerTexts()
    const keys = await list.getByRole('term').filter({ hasText: /^\s*g/ }).allInnerTexts()
    await page.keyboard.press('Escape')
    expect(ways).toHaveLength(pages)
    expect(pages).toBeGreaterThan(9)
    for (const [index, way] of ways.entries()) {
      await page.keyboard.press('g')
      await page.keyboard.press(keys[index]?.trim().slice(-1) ?? '')
      await page.getByRole('heading', { level: 1, name: way.replace('Go to ', ''), exact: true }).waitFor()
    }
  })

  test('focus the search and move from row to row', async () => {
    await visit(page, '/events')
    const links = page.getByRole('table').getByRole('link')
    await links.nth(2).waitFor()
    const [first, second] = await links.evaluateAll(all => all.map(link => link.getAttribute('href')))
    const at = async (): Promise<string | null | undefined> =>
      await page.evaluate(() => document.activeElement?.getAttribute('href'))
    for (const [key, href] of [
      ['j', first],
      ['j', second],
      ['k', first],
      ['k', first],
    ] as const) {
      await page.keyboard.press(key)
      expect(await at()).toBe(href)
    }
    await page.keyboard.press('Enter')
    await page.waitForURL(`**${first}`)
    await page.keyboard.press('/')
    expect(await isInSearch(page)).toBe(true)
  })

  test('do nothing while a form field has focus', async () => {
    await visit(page, '/endpoints/new')
    const text = '/ ? j k r g o'
    for (const field of [
      page.getByRole('combobox').first(),
      page.getByRole('textbox', { name: 'URL', exact: true }),
      page.getByLabel('Description'),
    ]) {
      await field.focus()
      await page.keyboard.type(text)
      expect(await field.inputValue()).toBe(text)
      expect(new URL(page.url()).pathname).toBe('/endpoints/new')
      expect(await page.getByRole('dialog').count()).toBe(0)
      await field.fill('')
    }
    await page.getByLabel('Time zone').focus()
    await page.keyboard.press('g')
    await page.keyboard.press('o')
    expect(new URL(page.url()).pathname).toBe('/endpoints/new')
  })

  test('do nothing while a dialog is open', async () => {
    await visit(page, '/events')
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Shortcuts' }).waitFor()
    for (const key of ['g', 'o', '/']) await page.keyboard.press(key)
    expect(await isInSearch(page)).toBe(false)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(new URL(page.url()).pathname).toBe('/events')
  })

  test('can be turned off on every page, while Ctrl+K still opens the search', async () => {
    await visit(page, '/settings')
    const choice = page.getByRole('switch', { name: /shortcuts/i })
    await choice.click()
    expect(await choice.isChecked()).toBe(false)
    for (const path of ['/settings', '/events']) {
      await visit(page, path)
      await page.locator('main').focus()
      for (const key of ['?', 'j', 'g', 'o', '/']) await page.keyboard.press(key)
      expect(await page.getByRole('dialog').count()).toBe(0)
      expect(await isInSearch(page)).toBe(false)
      expect(new URL(page.url()).pathname).toBe(path)
    }
    await page.keyboard.press('Control+k')
    expect(await isInSearch(page)).toBe(true)

    await visit(page, '/settings')
    await choice.click()
    await page.locator('main').focus()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Shortcuts' }).waitFor()
  })

  test('with two keys do nothing if another key comes between', async () => {
    await visit(page, '/events')
    for (const key of ['g', 'x', 'o']) await page.keyboard.press(key)
    await page.keyboard.press('/')
    expect(await isInSearch(page)).toBe(true)
    expect(new URL(page.url()).pathname).toBe('/events')
  })
})

async function isInSearch(page: Page): Promise<boolean> {
  return await page
    .getByRole('combobox')
    .first()
    .evaluate(box => box === document.activeElement)
}
