import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeInBrowser } from './support/in-browser.ts'
import { type Stage, startStage } from './support/stage.ts'

describeInBrowser('notices by mail', () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await startStage({ POSTHORN_NOTICES_FROM: 'posthorn@ops.example' })
  }, 240_000)
  afterAll(async () => await stage[Symbol.asyncDispose]())

  test('have an address that is set in the settings, survives a reload and can be removed', async () => {
    await using visit = await stage.open()
    const { page } = visit
    await page.goto('/settings')
    const section = page.getByRole('region', { name: 'Notices by email' })
    const address = section.getByLabel('Send email notices to')
    await section.getByText('Email notices are off.').waitFor()
    await address.fill('night@acme.example')
    await page.keyboard.press('Enter')
    await section.getByText('as text to night@acme.example').waitFor()

    await page.reload()
    await section.getByText('as text to night@acme.example').waitFor()
    expect(await address.inputValue()).toBe('night@acme.example')
    await section.getByRole('button', { name: 'Stop email notices' }).click()
    await section.getByText('Email notices are off.').waitFor()
  })

  test('are not offered to a read-only key', async () => {
    await using visit = await stage.open(await stage.service.keyWith(['read']))
    const { page } = visit
    await page.goto('/settings')
    const section = page.getByRole('region', { name: 'Notices by email' })
    await section.getByText('Email notices are off.').waitFor()
    expect(await section.getByLabel('Send email notices to').count()).toBe(0)
  })
})
