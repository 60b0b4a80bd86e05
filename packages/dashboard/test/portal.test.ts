import type { PortalSessionCreated } from '@posthorn/contract'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectStatus } from '../../server/test/support/api.ts'
import { until } from '../../server/test/support/until.ts'
import { describeInBrowser } from './support/in-browser.ts'
import { type Stage, startStage } from './support/stage.ts'
import { type HostPage, startHostPage } from './support/host-page.ts'

describeInBrowser('a portal link', () => {
  let stage: Stage
  let host: HostPage
  beforeAll(async () => {
    stage = await startStage()
    host = await startHostPage()
  }, 240_000)
  afterAll(async () => {
    await host[Symbol.asyncDispose]()
    await stage[Symbol.asyncDispose]()
  })

  test('opens the overview once; its token is removed from the URL and stored nowhere', async () => {
    const link = await newLink()
    await using visit = await open()
    const { page, complaints } = visit
    await page.goto(link.url)
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    const secret = new URL(link.url).hash.slice(1)
    expect(page.url()).toBe(`${stage.service.url}/`)
    expect(await everythingKept(page)).not.toContain(secret)
    expect(complaints).toEqual([])

    await using stranger = await open()
    await stranger.page.goto(link.url)
    await stranger.page.getByText('This link was already used or has expired.').waitFor()
  })

  test('lets the same browser in again while its session lasts', async () => {
    const link = await newLink()
    await using visit = await open()
    await visit.page.goto(link.url)
    await visit.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    await visit.page.goto(`${link.url.split('#')[0]}?path=/events`)
    await visit.page.getByRole('heading', { name: 'Events' }).waitFor()
  })

  test('offers neither the account’s own pages nor the operator’s', async () => {
    const link = await newLink()
    await using visit = await open()
    await visit.page.goto(link.url)
    await visit.page.getByRole('link', { name: 'Deliveries' }).waitFor()
    expect(await visit.page.getByRole('link', { name: 'API keys' }).count()).toBe(0)
    for (const path of ['/api-keys', '/operator']) {
      await visit.page.goto(path)
      await visit.page.getByRole('heading', { name: 'Not found' }).waitFor()
    }
  })

  test('works in a frame without a cookie and keeps the host’s options from page to page', async () => {
    const link = await newLink({ allowed_origins: [host.origin] })
    host.show(withOptions(link.url, 'nav=0&theme=dark&path=/deliveries'), null)
    await using visit = await open()
    const { page, complaints } = visit
    await page.goto(host.origin)
    const frame = page.frameLocator('iframe')
    await frame.getByRole('heading', { name: 'Deliveries' }).waitFor()
    await frame.locator('body').press('g')
    await frame.locator('body').press('e')
    await frame.getByRole('heading', { name: 'Endpoints' }).waitFor()
    expect(await frame.locator('html').getAttribute('data-theme')).toBe('dark')
    expect(await frame.getByRole('navigation', { name: 'Pages' }).count()).toBe(0)
    expect(await page.context().cookies()).toEqual([])
    expect(complaints).toEqual([])
  })

  test('asks the host for a new link before its session ends in a frame, and continues', async () => {
    const ending = await newLink({ allowed_origins: [host.origin], expires_in_seconds: 60 })
    const next = await newLink({ allowed_origins: [host.origin] })
    host.show(ending.url, next.url)
    await using visit = await open()
    const { page } = visit
    await page.goto(host.origin)
    const frame = page.frameLocator('iframe')
    await frame.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    await until('the other link was opened', async () => (await linkById(next.id)).exchanged_at ?? undefined)
    expect(await page.evaluate('asked')).toEqual([stage.service.url])

    expectStatus(204, await stage.service.operator.delete(`/v1/portal-sessions/${ending.id}`))
    await frame.getByRole('link', { name: 'Events', exact: true }).click()
    await frame.getByRole('heading', { name: 'Events' }).waitFor()
    expect(await frame.getByRole('dialog').count()).toBe(0)
  })

  test('that is revoked and not renewed says in the frame whom to ask', async () => {
    const link = await newLink({ allowed_origins: [host.origin], name: 'Acme Mail' })
    host.show(link.url, null)
    await using visit = await open()
    await visit.page.goto(host.origin)
    const frame = visit.page.frameLocator('iframe')
    await frame.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    expectStatus(204, await stage.service.operator.delete(`/v1/portal-sessions/${link.id}`))
    await frame.getByRole('dialog').getByText('ask Acme Mail for a new link').waitFor()
  })

  test('is not shown in a frame of an origin that is not allowed', async () => {
    const link = await newLink({ allowed_origins: ['https://elsewhere.example'] })
    host.show(link.url, null)
    await using visit = await open()
    await visit.page.goto(host.origin)
    await until('the browser refuses the frame', () =>
      visit.complaints.some(text => /frame-ancestors/.test(text)) ? true : undefined,
    )
  })

  async function open() {
    return await stage.open(null)
  }

  async function newLink(more: object = {}): Promise<PortalSessionCreated & { url: string }> {
    const body = { account_id: stage.service.customer.accountId, ...more }
    const made = expectStatus(
      201,
      await stage.service.operator.post<PortalSessionCreated>('/v1/portal-sessions', body),
    )
    return { ...made, url: made.url ?? '' }
  }

  async function linkById(id: string): Promise<PortalSessionCreated> {
    const { body } = await stage.service.operator.get<{ data: PortalSessionCreated[] }>('/v1/portal-sessions')
    const found = body.data.find(link => link.id === id)
    if (found === undefined) throw new Error(`${id} is not listed`)
    return found
  }
})

function withOptions(url: string, options: string): string {
  return url.replace('#', `?${options}#`)
}

/** All data that scripts of the page could read later. */
async function everythingKept(page: Page): Promise<string> {
  return await page.evaluate(() =>
    JSON.stringify([
      document.documentElement.outerHTML,
      document.cookie,
      Object.entries(localStorage),
      Object.entries(sessionStorage),
      history.state as unknown,
      location.href,
    ]),
  )
}
