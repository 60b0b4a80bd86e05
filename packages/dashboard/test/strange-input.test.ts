import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeInBrowser } from './support/in-browser.ts'
import { lasting } from './support/lasting.ts'
import { widerThanWindow } from './support/readable.ts'
import { type Stage, startStage } from './support/stage.ts'
import {
  longWord,
  markup,
  rightToLeft,
  type StrangeThings,
  storeStrangeThings,
  textsThatTurnTheirNeighbours,
} from './support/strange-things.ts'
import { hasLoaded, visit } from './support/visit.ts'

describeInBrowser('strange input', () => {
  let stage: Stage
  let things: StrangeThings
  beforeAll(async () => {
    stage = await startStage()
    things = await storeStrangeThings(stage)
  }, 240_000)
  afterAll(async () => await stage[Symbol.asyncDispose]())

  test('stays text and does not break the layout at 390 px and 1280 px', async () => {
    await using visitor = await stage.open()
    const { page, complaints } = visitor
    const paths = [
      '/',
      '/endpoints',
      `/endpoints/${things.webhookId}`,
      ...['keys', 'check', 'replays', 'settings'].map(tab => `/endpoints/${things.webhookId}/${tab}`),
      `/deliveries/${things.deliveryId}`,
      '/deliveries',
      '/events',
      `/events/${things.eventId}`,
      '/emails',
      `/emails/${things.emailId}`,
      '/suppressions',
      '/domains',
      `/domains/${things.domainId}`,
      '/audit-log',
      `/deliveries?type=${encodeURIComponent(markup)}&error=${'q'.repeat(2_000)}`,
    ]
    const found: string[] = []
    for (const path of paths) {
      await visit(page, path)
      for (const closed of await page.locator('main details:not([open]) > summary').all())
        await closed.click()
      const planted = await page.locator('#planted, [alt=planted], main script').count()
      if (planted > 0) found.push(`${path}: ${planted} elements were made of text`)
      for (const width of [390, 1280]) {
        await page.setViewportSize({ width, height: 900 })
        const loose = await page.evaluate(textsThatTurnTheirNeighbours)
        found.push(...loose.map(text => `${path}: turns what stands beside it: ${text}`))
        found.push(...(await lasting(page, widerThanWindow)).map(what => `${path}: ${what} at ${width} px`))
      }
    }
    expect(found).toEqual([])
    expect(complaints).toEqual([])
  })

  test('is shown literally, without NUL and right-to-left override characters', async () => {
    await using visitor = await stage.open()
    const { page } = visitor
    await visit(page, `/deliveries/${things.deliveryId}`)
    const answer = page.getByText('<script>planted()</script>').last()
    await answer.waitFor()
    const shown = await answer.innerText()
    expect(shown).toContain('w'.repeat(5_000))
    expect(shown).not.toContain('\u0000')
    expect(shown).not.toContain('\u202E')
    await visit(page, '/endpoints')
    await page.getByText(markup).first().waitFor()
    await visit(page, `/events/${things.eventId}`)
    await page
      .getByText('"<img src=x alt=planted>"@example.org')
      .or(page.getByText('planted'))
      .first()
      .waitFor()
  })

  test('with right-to-left text does not affect nearby text for a read-only user', async () => {
    await using visitor = await stage.open(await stage.service.keyWith(['read']))
    const { page } = visitor
    await visit(page, `/endpoints/${things.webhookId}/settings`)
    await page.getByText('drawkcab').waitFor()
    expect(await page.evaluate(textsThatTurnTheirNeighbours)).toEqual([])
  })

  test('pasted into the search creates no elements and causes no errors', async () => {
    await using visitor = await stage.open()
    const { page, complaints } = visitor
    await visit(page, '/')
    for (const text of [markup, rightToLeft, longWord, '\u0000']) {
      await page.keyboard.press('/')
      await page.keyboard.insertText(text)
      await page.keyboard.press('Enter')
      await page.keyboard.press('Escape')
      await page.locator('main').focus()
      await hasLoaded(page)
    }
    expect(await page.locator('#planted, [alt=planted]').count()).toBe(0)
    expect(complaints).toEqual([])
  })
})
