import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  findPostgres,
  type PostgresServer,
  startPostgres,
} from '../../server/test/support/postgres-server.ts'
import { startDashboardService } from './support/dashboard-service.ts'
import { describeInBrowser } from './support/in-browser.ts'
import { type Stage, stageOf } from './support/stage.ts'
import { visit } from './support/visit.ts'

const fromWhen = /The page shows data from (?:today )?\d\d:\d\d:\d\d\./

describeInBrowser('when nobody answers', () => {
  let postgres: PostgresServer
  let stage: Stage
  beforeAll(async () => {
    const installation = findPostgres().at(-1)
    if (installation === undefined) throw new Error('no PostgreSQL on this machine: npm ci brings one')
    postgres = await startPostgres(installation)
    stage = await stageOf(await startDashboardService({}, postgres.url('postgres')))
    await stage.service.customer.report(3)
  }, 240_000)
  afterAll(async () => {
    await stage[Symbol.asyncDispose]()
    await postgres[Symbol.asyncDispose]()
  })

  test('the page keeps its data and shows their time, and recovers once the network is back', async () => {
    await using visitor = await stage.open()
    const { page } = visitor
    await visit(page, '/events')
    const rows = page.getByRole('table').getByRole('row')
    await rows.nth(3).waitFor()
    await page.context().setOffline(true)
    const alert = page.getByRole('alert')
    await alert.getByText('You are offline.').waitFor()
    expect(await alert.innerText()).toMatch(fromWhen)
    expect(await rows.count()).toBe(4)
    await page.context().setOffline(false)
    await alert.waitFor({ state: 'detached' })
  })

  test('a list that never loaded says when it tries again, and appears once the service answers', async () => {
    await using visitor = await stage.open()
    const { page } = visitor
    await visit(page, '/settings')
    const isList = (url: URL): boolean => url.pathname === '/v1/events'
    await page.route(isList, async route => await route.abort())
    await page.getByRole('link', { name: 'Events', exact: true }).click()
    const alert = page.getByRole('alert')
    await alert.getByText(/The service does not answer\. We try again in \d+ s\./).waitFor()
    await page.unroute(isList)
    await page.getByRole('table').getByRole('row').nth(3).waitFor()
    await alert.waitFor({ state: 'detached' })
  })

  test('a page that never loaded keeps its message while it tries again', async () => {
    await using visitor = await stage.open()
    const { page } = visitor
    await visit(page, '/events')
    const isEvent = (url: URL): boolean => url.pathname.startsWith('/v1/events/')
    await page.route(isEvent, async route => await route.abort())
    await page.getByRole('table').getByRole('link').first().click()
    const alert = page.getByRole('alert')
    await alert.getByText('The service does not answer.').waitFor()
    await page.unroute(isEvent)
    const answers = Promise.withResolvers<undefined>()
    const asked = Promise.withResolvers<undefined>()
    await page.route(isEvent, async route => {
      asked.resolve(undefined)
      await answers.promise
      await route.continue()
    })
    await alert.getByRole('button', { name: 'Try again' }).click()
    await asked.promise
    expect(await alert.innerText()).toContain('The service does not answer.')
    expect(await page.getByRole('status', { name: 'Loading' }).count()).toBe(0)
    answers.resolve(undefined)
    await alert.waitFor({ state: 'detached' })
    await page.getByRole('heading', { name: 'Body' }).waitFor()
  })

  test('while the database is down, the page says when it retries, and does so', async () => {
    await using listed = await stage.open()
    await using opened = await stage.open()
    await visit(listed.page, '/events')
    await visit(opened.page, '/settings')
    postgres.stop('immediate')
    const away = /The database is not available\. We try again in \d+ s\./
    await listed.page.getByRole('alert').getByText(away).waitFor()
    expect(await listed.page.getByRole('table').getByRole('row').count()).toBe(4)
    await opened.page.getByRole('link', { name: 'Events', exact: true }).click()
    await opened.page.getByRole('alert').getByText(away).waitFor()
    // a page opened only now shows the same message
    await using come = await stage.open(null)
    await come.page.context().addCookies(await listed.page.context().cookies())
    await come.page.goto('/events')
    await come.page.getByRole('alert').getByText(away).waitFor()

    postgres.start()
    for (const { page } of [listed, opened, come]) {
      await page.getByRole('table').getByRole('row').nth(3).waitFor()
      await page.getByRole('alert').waitFor({ state: 'detached' })
    }
  })

  test('while the service is down, each page says so with its data’s time and keeps typed text', async () => {
    await using listed = await stage.open()
    await using typing = await stage.open()
    await using thing = await stage.open()
    await visit(listed.page, '/api-keys')
    await visit(listed.page, '/events')
    const [row] = await listed.page.getByRole('table').getByRole('link').all()
    await visit(thing.page, (await row?.getAttribute('href')) ?? '')
    await visit(typing.page, '/endpoints/new')
    await typing.page.getByLabel('Description').fill('CRM')
    await stage.service.kill()

    for (const { page } of [listed, thing]) {
      const alert = page.getByRole('alert')
      await alert.getByText('The service does not answer.').waitFor()
      expect(await alert.innerText()).toMatch(fromWhen)
    }
    await typing.page.getByRole('textbox', { name: 'URL', exact: true }).fill('https://hooks.example.com/in')
    await typing.page.getByRole('button', { name: 'Create' }).click()
    await typing.page.getByRole('alert').getByText('The service does not answer.').waitFor()
    expect(await typing.page.getByLabel('Description').inputValue()).toBe('CRM')
  })
})
