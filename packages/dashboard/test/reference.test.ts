import { routes } from '@posthorn/contract'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OpenPage } from './support/browser.ts'
import { describeInBrowser } from './support/in-browser.ts'
import { lasting } from './support/lasting.ts'
import { widerThanWindow } from './support/readable.ts'
import { type Stage, startStage } from './support/stage.ts'

const screenshots = new URL('../../../docs/screenshots/', import.meta.url)
const takesScreenshots = process.env['POSTHORN_SCREENSHOTS'] !== undefined

describeInBrowser('the API reference', () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await startStage()
  }, 240_000)
  afterAll(async () => await stage[Symbol.asyncDispose]())

  const openReference = async (look: { widthPx: number }): Promise<OpenPage & { asked: string[] }> => {
    const opened = await stage.open(null, look)
    const asked: string[] = []
    opened.page.on('request', request => asked.push(request.url()))
    await opened.page.goto('/docs')
    await opened.page.getByRole('heading', { level: 1, name: 'Posthorn API' }).waitFor()
    return { ...opened, asked }
  }

  test('lists every operation, requests nothing from other hosts and causes no browser errors', async () => {
    await using opened = await openReference({ widthPx: 1280 })
    const { page, complaints, asked } = opened
    const listed = new Set<string>()
    for (const chapter of (await links(page)).filter(link => /^#\/[a-z-]+$/.test(link))) {
      await page.locator(`a[href="${chapter}"]`).first().click()
      await page.locator(`a[href^="${chapter}/"]`).first().waitFor()
      for (const link of await links(page)) listed.add(link.split('/').at(-1) ?? '')
    }
    const missing = Object.keys(routes).filter(operation => !listed.has(operation.toLowerCase()))
    expect(missing).toEqual([])
    expect(asked.filter(url => !url.startsWith(`${stage.service.url}/`))).toEqual([])
    expect(asked.length).toBeGreaterThan(4)
    expect(complaints).toEqual([])
  })

  test('shows the example request of an operation and what to do about its errors', async () => {
    await using opened = await openReference({ widthPx: 1280 })
    const { page, complaints } = opened
    await page.goto('/docs#/webhook-endpoints/createwebhook')
    await page.getByText('POSTHORN_API_KEY').first().waitFor()
    // the text appears once the index is ready
    await page
      .getByText(/^Search/)
      .first()
      .waitFor()
    await picture(page, 'reference-light')
    await page.getByText('409', { exact: true }).first().click()
    await page.getByText('The account has reached its limit of endpoints.').first().waitFor()
    expect(complaints).toEqual([])
  })

  test('fits a 390 px wide screen', async () => {
    await using opened = await openReference({ widthPx: 390 })
    expect(await lasting(opened.page, widerThanWindow)).toEqual([])
    expect(opened.complaints).toEqual([])
    await picture(opened.page, 'reference-phone')
  })

  test('is linked from the dashboard', async () => {
    await using opened = await stage.open()
    await opened.page.goto('/')
    await opened.page.getByRole('link', { name: 'API reference' }).click()
    await opened.page.getByRole('heading', { level: 1, name: 'Posthorn API' }).waitFor()
    expect(opened.complaints).toEqual([])
  })
})

async function links(page: Page): Promise<string[]> {
  return await page.evaluate(() =>
    [...document.querySelectorAll('a')].map(link => link.getAttribute('href') ?? ''),
  )
}

async function picture(page: Page, name: string): Promise<void> {
  if (takesScreenshots) await page.screenshot({ path: new URL(`${name}.png`, screenshots).pathname })
}
