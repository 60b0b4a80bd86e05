import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeInBrowser } from './support/in-browser.ts'
import { type Stage, startStage } from './support/stage.ts'

describeInBrowser('notices by mail', () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await startStage({ POSTHORN_NOTICES_FROM: 'posthorn@ops.example' })
  }, 240_000)
  afterAll(async () => await stage[Symbol.asyncDispose]())

  test('go to an address that the settings set, show after a reload, and take away', async () => {
    await using visit = await stage.open()
    const { page } = visit
    await page.goto('/settings')
    const section = page.getByRole('region', { name: 'Notices by mail' })
    const address = section.getByLabel('Mail notices to')
    await section.getByText('Nobody gets them now.').waitFor()
    await address.fill('night@acme.example')
    await page.keyboard.press('Enter')
    await section.getByText('go to night@acme.example').waitFor()

    await page.reload()
    await section.getByText('go to night@acme.example').waitFor()
    expect(await address.inputValue()).toBe('night@acme.example')
    await section.getByRole('button', { name: 'Mail no notices' }).click()
    await section.getByText('Nobody gets them now.').waitFor()
  })

  test('are not offered to a key that may only read', async () => {
    await using visit = await stage.open(await stage.service.keyWith(['read']))
    const { page } = visit
    await page.goto('/settings')
    const section = page.getByRole('region', { name: 'Notices by mail' })
    await section.getByText('Nobody gets them now.').waitFor()
    expect(await section.getByLabel('Mail notices to').count()).toBe(0)
  })
})
