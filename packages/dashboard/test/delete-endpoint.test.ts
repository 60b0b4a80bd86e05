import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeInBrowser } from './support/in-browser.ts'
import { type Stage, startStage } from './support/stage.ts'

describeInBrowser('an endpoint', () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await startStage()
  }, 240_000)
  afterAll(async () => await stage[Symbol.asyncDispose]())

  test('is deleted only after its host has been typed', async () => {
    const { customer } = stage.service
    const { id } = await customer.newWebhook({ url: 'http://127.0.0.1:9/hooks' })
    await using visit = await stage.open(customer.apiKey)
    const { page, complaints } = visit
    await page.goto(`/endpoints/${id}/settings`)
    await page.getByRole('button', { name: 'Delete endpoint …' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete 127.0.0.1:9/hooks?' })
    const confirm = dialog.getByRole('button', { name: 'Delete endpoint' })
    await dialog.getByRole('textbox').fill('127.0.0.1')
    expect(await confirm.isDisabled()).toBe(true)
    expect((await customer.api.get(`/v1/webhooks/${id}`)).status).toBe(200)

    await dialog.getByRole('textbox').fill('127.0.0.1:9')
    await confirm.click()
    await page.getByRole('heading', { level: 1, name: 'Endpoints' }).waitFor()
    expect((await customer.api.get(`/v1/webhooks/${id}`)).status).toBe(404)
    expect(complaints).toEqual([])
  })

  test('is disabled and enabled with the words of the API', async () => {
    const { customer } = stage.service
    const { id } = await customer.newWebhook({ url: 'http://127.0.0.1:9/hooks' })
    await using visit = await stage.open(customer.apiKey)
    const { page, complaints } = visit
    await page.goto(`/endpoints/${id}/settings`)
    const disable = page.getByRole('button', { name: 'Disable endpoint' })
    await disable.click()
    await page.getByRole('region', { name: 'Health' }).getByText('Disabled', { exact: true }).waitFor()
    expect((await customer.api.get(`/v1/webhooks/${id}`)).body).toMatchObject({ status: 'disabled' })

    await page.getByRole('button', { name: 'Enable', exact: true }).click()
    await disable.waitFor()
    expect((await customer.api.get(`/v1/webhooks/${id}`)).body).toMatchObject({ status: 'enabled' })
    expect(complaints).toEqual([])
  })
})
