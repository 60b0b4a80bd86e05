import { readFile } from 'node:fs/promises'
import type { SendingDomain } from '@posthorn/contract'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Customer, expectStatus, newCustomer } from '../../server/test/support/api.ts'
import { until } from '../../server/test/support/until.ts'
import type { OpenPage } from './support/browser.ts'
import { describeInBrowser } from './support/in-browser.ts'
import { type Hand, handOn } from './support/clicks.ts'
import { dkimName } from './support/furnish-mail.ts'
import { type Stage, startStage } from './support/stage.ts'

describeInBrowser.each(['mouse', 'keyboard'] as const)('by %s', by => {
  let stage: Stage
  let customer: Customer
  let visit: OpenPage
  let page: Page
  let hand: Hand
  beforeAll(async () => (stage = await startStage()), 240_000)
  afterAll(async () => await stage[Symbol.asyncDispose]())
  beforeEach(async () => {
    customer = await newCustomer(stage.service.url, stage.service.operator, 10)
    visit = await stage.open(customer.apiKey)
    page = visit.page
    hand = handOn(page, by)
    return async () => {
      await visit[Symbol.asyncDispose]()
      expect(visit.complaints).toEqual([])
    }
  })

  test('a bounced address is found and its suppression lifted; the address appears in no URL', async () => {
    const data = { email_id: 'em_1', to: ['ann@example.org'] }
    await customer.report(1, { type: 'email.bounced', data })
    await page.goto('/suppressions')
    await page.getByRole('row').filter({ hasText: 'ann@example.org' }).waitFor()
    await searchFor('ann@example.org')
    const verdict = page.getByRole('region', { name: 'Verdict' })
    await verdict.getByText('We send no mail to this address.').waitFor()
    expect(page.url()).not.toContain('ann')

    await hand.click(page.getByRole('button', { name: 'Lift ann@example.org' }))
    const dialog = page.getByRole('dialog', { name: 'Send mail to this address again?' })
    await dialog.getByText(/the mailbox does not exist/).waitFor()
    await hand.click(dialog.getByRole('button', { name: 'Lift suppression' }))
    await verdict.getByText('This address is not suppressed.').waitFor()
    await until('the keyboard goes on in the page', async () => (await focused()) === 'main')
    await page.getByText('No suppression matches. 1 filter is on.').waitFor()
  })

  test('an unsubscribe is lifted only after confirming that the recipient asked for mail again', async () => {
    const data = { email_id: 'em_1', to: ['bo@example.org'] }
    await customer.report(1, { type: 'email.unsubscribed', data })
    await page.goto('/suppressions?reason=unsubscribe')
    await hand.click(page.getByRole('button', { name: 'Lift bo@example.org' }))
    const lift = page.getByRole('dialog').getByRole('button', { name: 'Lift suppression' })
    expect(await lift.isDisabled()).toBe(true)
    await hand.click(page.getByLabel('The recipient asked for mail again.'))
    await hand.click(lift)
    await page.getByText('No suppression matches. 1 filter is on.').waitFor()
  })

  test('a suppression for one list is added by hand, and the page explains its effect', async () => {
    await page.goto('/suppressions')
    await hand.click(page.getByRole('button', { name: 'Add suppression' }))
    const dialog = page.getByRole('dialog', { name: 'Suppress an address' })
    await dialog.getByLabel('Address').fill('no address')
    await hand.click(dialog.getByRole('button', { name: 'Add suppression' }))
    await dialog.getByText('must be an email address').waitFor()
    await dialog.getByLabel('Address').fill('cy@example.org')
    await dialog.getByLabel('One list').check()
    await dialog.getByLabel('List', { exact: true }).fill('weekly')
    await hand.click(dialog.getByRole('button', { name: 'Add suppression' }))
    await page.getByText('We send no list mail to this address, but all other mail.').waitFor()
    await page.getByRole('row').filter({ hasText: 'List weekly' }).waitFor()
  })

  test('a CSV file is imported and exported, and each reason says how many are in force', async () => {
    const csv =
      'address,reason\nann@example.org,bounce\nbo@example.org,complaint\ncy@example.org,manual\nnobody\n'
    await page.goto('/suppressions')
    await hand.click(page.getByRole('button', { name: 'Import' }))
    const dialog = page.getByRole('dialog', { name: 'Import suppressions' })
    const file = { name: 'list.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) }
    await dialog.getByLabel('File').setInputFiles(file)
    await hand.click(dialog.getByRole('button', { name: 'Import' }))
    const result = page.getByRole('dialog', { name: 'Import finished' })
    await result.getByText('3 suppressions added, 1 line rejected.').waitFor()
    await result.getByRole('row', { name: '5 address must be an email address' }).waitFor()
    await hand.click(result.getByRole('button', { name: 'Close' }))

    await page.getByText('3 in force.').waitFor()
    await hand.click(page.getByRole('button', { name: 'Marked as spam 1' }))
    await until('only the complaint is left', async () => (await page.getByRole('row').count()) === 2)
    expect(new URL(page.url()).search).toBe('?reason=complaint')

    const saved = page.waitForEvent('download')
    await hand.click(page.getByRole('button', { name: 'Export' }))
    const text = await readFile(await (await saved).path(), 'utf8')
    expect(text.split('\r\n').map(line => line.split(',').slice(0, 2).join())).toEqual([
      'address,reason',
      'ann@example.org,bounce',
      'bo@example.org,complaint',
      'cy@example.org,manual',
      '',
    ])
  })

  test('a domain is added, signs mail once its key is in the DNS, and is deleted', async () => {
    const { dns } = stage.service
    await page.goto('/domains')
    await hand.click(page.getByRole('button', { name: 'Add domain' }))
    await page.getByLabel('Domain', { exact: true }).fill('localhost')
    await hand.click(page.getByRole('dialog').getByRole('button', { name: 'Add domain' }))
    await page.getByText('must be a public domain name', { exact: false }).waitFor()
    await page.getByLabel('Domain', { exact: true }).fill(`${by}.acme.test`)
    await hand.click(page.getByRole('dialog').getByRole('button', { name: 'Add domain' }))
    await page.getByRole('heading', { level: 1, name: `${by}.acme.test` }).waitFor()

    const key = page.getByRole('article', { name: 'DKIM key' })
    await hand.click(page.getByRole('button', { name: 'Check now' }))
    await key.getByText('Missing', { exact: true }).waitFor()
    const domain = await onlyDomain()
    dns.txt(dkimName(domain), 'v=DKIM1; k=rsa; p=MIIBIjANBgkqhkiG9w0')
    await hand.click(page.getByRole('button', { name: 'Check now' }))
    await key.getByText('Wrong', { exact: true }).waitFor()
    await key.getByText('v=DKIM1; k=rsa; p=MIIBIjANBgkqhkiG9w0', { exact: true }).waitFor()

    await hand.click(key.getByRole('button', { name: 'Copy name of the DKIM key record' }))
    const name = await clipboard()
    await hand.click(key.getByRole('button', { name: 'Copy value of the DKIM key record' }))
    dns.txt(name, await clipboard())
    await hand.click(page.getByRole('button', { name: 'Check now' }))
    await page.getByText(`Mail from ${by}.acme.test is signed`, { exact: false }).first().waitFor()
    await key.getByText('Correct', { exact: true }).waitFor()
    expect((await onlyDomain()).verified_at).not.toBeNull()

    await page.getByLabel('Return path domain').fill('bounces.other.test')
    await hand.click(page.getByRole('button', { name: 'Save names' }))
    await page.getByText(`must be a name below ${by}.acme.test`, { exact: false }).waitFor()
    await page.getByLabel('Return path domain').fill(`bounces.${by}.acme.test`)
    await hand.click(page.getByRole('button', { name: 'Save names' }))
    const alias = page.getByRole('article', { name: 'Your own return path' })
    await alias.getByText('Not checked yet', { exact: true }).waitFor()
    await alias.getByText('CNAME', { exact: true }).waitFor()
    dns.cname(`bounces.${by}.acme.test`, 'bounces.posthorn.test')
    await hand.click(page.getByRole('button', { name: 'Check now' }))
    await alias.getByText('Correct', { exact: true }).waitFor()
    expect((await onlyDomain()).return_path_verified_at).not.toBeNull()

    await hand.click(page.getByRole('button', { name: 'Delete domain …' }))
    const dialog = page.getByRole('dialog', { name: `Delete ${by}.acme.test?` })
    await dialog.getByText('We stop signing its mail at once').waitFor()
    await dialog.getByLabel(/^Type/).fill(`${by}.acme.test`)
    await hand.click(dialog.getByRole('button', { name: 'Delete domain' }))
    await page.getByText('No domain yet.', { exact: false }).waitFor()
  })

  async function searchFor(address: string): Promise<void> {
    await page.getByLabel('Address', { exact: true }).fill(address)
    await page.keyboard.press('Enter')
  }

  async function focused(): Promise<string | undefined> {
    return await page.evaluate(() => document.activeElement?.id)
  }

  async function clipboard(): Promise<string> {
    return await page.evaluate(async () => await navigator.clipboard.readText())
  }

  async function onlyDomain(): Promise<SendingDomain> {
    const { data } = expectStatus(200, await customer.api.get<{ data: SendingDomain[] }>('/v1/domains'))
    const [domain] = data
    if (domain === undefined) throw new Error('no domain')
    return domain
  }
})
