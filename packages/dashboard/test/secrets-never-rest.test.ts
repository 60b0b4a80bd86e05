import { createHmac, randomBytes } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makings, secretIn } from './secrets/makings.ts'
import { describeInBrowser } from './support/in-browser.ts'
import { type Stage, startStage } from './support/stage.ts'
import { noteRequests, readableByScripts, textsInMemory } from './support/what-is-kept.ts'

describeInBrowser('a secret never rests', () => {
  let stage: Stage
  beforeAll(async () => (stage = await startStage()), 240_000)
  afterAll(async () => await stage[Symbol.asyncDispose]())

  test.each(makings)(
    '$what is shown once, then removed from the page, and never sent',
    async ({ what, as, field, make, done }) => {
      const { service } = stage
      const credential = as === 'operator' ? service.operatorToken : service.customer.apiKey
      await using visit = await stage.open(credential)
      const { page, complaints } = visit
      const requests = noteRequests(page)
      const [answer] = await Promise.all([
        page.waitForResponse(async made => (await secretIn(made, field)) !== null),
        make(page, stage),
      ])
      const secret = (await secretIn(answer, field)) ?? ''
      await page.getByRole('button', { name: 'Copy', exact: true }).first().click()
      // while the secret is shown the check finds it, so the check can fail
      expect(await readableByScripts(page)).toContain(secret)
      // a heap snapshot takes seconds, so one proof that it finds secrets is enough
      if (what === makings[0]?.what) expect(await holdsInMemory(page, secret)).toBe(true)

      const button = page.getByRole('button', { name: done, exact: true })
      await button.click()
      await button.waitFor({ state: 'detached' })
      expect(await readableByScripts(page)).not.toContain(secret)
      await openDebugger(page)
      expect(await holdsInMemory(page, secret)).toBe(false)
      await page.goBack()
      await page.getByRole('heading', { name: 'Signature debugger' }).waitFor({ state: 'detached' })
      expect(await readableByScripts(page)).not.toContain(secret)
      expect(requests.filter(request => request.includes(secret))).toEqual([])
      expect(complaints).toEqual([])
    },
  )

  test('an API key used to sign in is sent to the service once and stored nowhere', async () => {
    const { apiKey } = stage.service.customer
    await using visit = await stage.open(null)
    const { page } = visit
    const requests = noteRequests(page)
    await page.goto('/sign-in')
    await page.getByLabel('API key').fill(apiKey)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await openDebugger(page)
    expect(await readableByScripts(page)).not.toContain(apiKey)
    expect(await holdsInMemory(page, apiKey)).toBe(false)
    expect(requests.filter(request => request.includes(apiKey))).toEqual([
      expect.stringMatching(/^POST \S+\/v1\/sessions\n/),
    ])
  })

  test('the debugger sends nothing while a field has content, and forgets it on leaving the page', async () => {
    const secret = `whsec_${randomBytes(32).toString('base64url')}`
    await using visit = await stage.open()
    const { page } = visit
    await page.clock.install()
    await page.goto('/')
    await openDebugger(page)
    await page.getByLabel('Secret', { exact: true }).fill(secret)
    const requests = noteRequests(page)
    const signature = createHmac('sha256', secret).update('1795230842.{"a": 1}').digest('hex')
    await page.getByLabel('Header').fill(`t=1795230842,v1=${signature}`)
    await page.getByLabel('Body', { exact: true }).fill('{"a":1}')
    await page.getByRole('link', { name: 'Deliveries' }).hover()
    await page.clock.fastForward('05:00')
    await page.getByText(/Rules? .* broken/).waitFor()
    await page.getByText('Express', { exact: true }).click()
    await page.getByText('createExpressHandler').first().waitFor()
    expect(requests).toEqual([])

    await page.getByRole('button', { name: 'Forget everything' }).click()
    await expect.poll(() => requests.length).toBeGreaterThan(0)
    expect(requests.filter(request => request.includes(secret))).toEqual([])
    await page.getByRole('link', { name: 'Endpoints' }).click()
    await page.getByRole('heading', { name: 'Endpoints' }).waitFor()
    expect(await readableByScripts(page)).not.toContain(secret)
    expect(await holdsInMemory(page, secret)).toBe(false)
  })
})

/** A link within the page keeps its memory. */
async function openDebugger(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Signature debugger' }).click()
  await page.getByRole('heading', { name: 'Signature debugger' }).waitFor()
}

async function holdsInMemory(page: Page, secret: string): Promise<boolean> {
  return (await textsInMemory(page)).some(text => text.includes(secret))
}
