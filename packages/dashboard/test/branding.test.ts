import type { Branding } from '@posthorn/contract'
import { examples } from '@posthorn/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeInBrowser } from './support/in-browser.ts'
import { type Stage, startStage } from './support/stage.ts'

describeInBrowser('the unsubscribe page’s branding', () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await startStage()
  }, 240_000)
  afterAll(async () => await stage[Symbol.asyncDispose]())

  const stored = async (): Promise<Branding> =>
    (await stage.service.customer.api.get<Branding>('/v1/branding')).body

  test('is set in the settings, with a preview of the logo, and survives a reload', async () => {
    await using visit = await stage.open()
    const { page } = visit
    await page.goto('/settings')
    const section = page.getByRole('region', { name: 'Unsubscribe page' })
    await section.getByLabel('Sender name').fill('Acme Shop')
    await section.getByLabel('Button color', { exact: true }).fill('#1D4ED8')
    await page.keyboard.press('Enter')
    await expect.poll(stored).toMatchObject({ name: 'Acme Shop', color: '#1d4ed8', logo: null })

    const buffer = Buffer.from(examples.updateBranding.body.logo ?? '', 'base64')
    const choose = async (file: { name: string; mimeType: string; buffer: Buffer }): Promise<void> => {
      const chooser = page.waitForEvent('filechooser')
      await section.getByRole('button', { name: /logo$/ }).first().click()
      await (await chooser).setFiles(file)
    }
    await choose({ name: 'logo.png', mimeType: 'image/png', buffer })
    const preview = section.getByRole('img', { name: 'Your logo, 2 by 2 pixels' })
    await preview.waitFor()
    const pixel = async (): Promise<number[]> =>
      await preview.evaluate((canvas: HTMLCanvasElement) => [
        ...(canvas.getContext('2d')?.getImageData(0, 0, 1, 1).data ?? []),
      ])
    await expect.poll(pixel).toEqual([29, 78, 216, 255])

    await page.reload()
    await preview.waitFor()
    expect(await section.getByLabel('Sender name').inputValue()).toBe('Acme Shop')

    await choose({ name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') })
    await section.getByText('The logo must be a PNG, JPEG or WebP image.').waitFor()
    await choose({ name: 'big.png', mimeType: 'image/png', buffer: Buffer.alloc(200_000) })
    await section.getByText('This file has 200 kB. A logo must not be larger than 64 kB.').waitFor()
    expect((await stored()).logo).not.toBeNull()

    await section.getByRole('button', { name: 'Remove logo' }).click()
    await section.getByText('No logo').waitFor()
    await section.getByLabel('Button color', { exact: true }).fill('blue')
    await page.keyboard.press('Enter')
    await section.getByText('must be a color such as #1d4ed8').waitFor()
    expect(await stored()).toMatchObject({ name: 'Acme Shop', color: '#1d4ed8', logo: null })
    expect(visit.complaints.filter(text => !text.includes('422'))).toEqual([])
  })

  test('can only be seen with a read-only key', async () => {
    await using visit = await stage.open(await stage.service.keyWith(['read']))
    const { page } = visit
    await page.goto('/settings')
    const section = page.getByRole('region', { name: 'Unsubscribe page' })
    await section.getByText('No logo').waitFor()
    expect(await section.getByRole('button').count()).toBe(0)
    expect(await section.getByRole('textbox').count()).toBe(0)
  })
})
