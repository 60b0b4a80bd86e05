import type { OperatorCreated, PortalScope, PortalSessionCreated } from '@posthorn/contract'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectStatus } from '../../server/test/support/api.ts'
import { controls } from './support/controls.ts'
import { everyPage, type PageToSee } from './support/pages.ts'
import { force, foreignOperations, type Rights } from './support/rights.ts'
import { describeInBrowser } from './support/in-browser.ts'
import { type FurnishedStage, furnishedStage } from './support/stage.ts'
import { goOn, visit } from './support/visit.ts'

/** Starts of the names of buttons that change something. A read-only session must have none. */
const changes =
  /^(Add|Create|Run check|Send|Disable|Enable|Retry|Replay|Generate|Make|Discard|Delete|Save|Change|Revoke|Stop|Lift|Remove|Check now)\b/
const ownPages = /^\/(api-keys|audit-log|settings)/
/** Commands for the operator, who has a shell on the server. */
const operatorCommands =
  /\b(npx )?posthorn [a-z-]+ (create|list|revoke|get|update|delete|rotate|add|send)\b|\bnpx posthorn\b/

/** Scopes of a person who opens the account's pages; without `isPortal`, with an API key. */
interface Person {
  readonly who: string
  readonly scopes: readonly PortalScope[]
  readonly isPortal?: boolean
  /** Opens every page; the others only open the pages that are not theirs. */
  readonly looksAtAll?: boolean
}
const people: readonly Person[] = [
  { who: 'a key that may read', scopes: ['read'], looksAtAll: true },
  { who: 'a portal link that may read', scopes: ['read'], isPortal: true },
  { who: 'a key that may read and send', scopes: ['read', 'send'] },
  {
    who: 'a portal link that may read, send and manage keys',
    scopes: ['read', 'send', 'keys'],
    isPortal: true,
  },
  { who: 'a portal link that may read and send', scopes: ['read', 'send'], isPortal: true, looksAtAll: true },
]

describeInBrowser('what a session may not do is not offered, and refused when it is forced', () => {
  let stage: FurnishedStage
  let pages: PageToSee[]
  beforeAll(async () => {
    stage = await furnishedStage()
    pages = everyPage(stage)
  }, 240_000)
  afterAll(async () => await stage[Symbol.asyncDispose]())

  test.each(people)('to $who', async ({ scopes, isPortal = false, looksAtAll = false }) => {
    await using visitor = await stage.open(isPortal ? null : await stage.service.keyWith(scopes))
    const { page, complaints } = visitor
    if (isPortal) await openPortal(page, scopes)
    if (looksAtAll) await seesOnlyWhatItMay(page, scopes, isPortal)
    await seesNone(page, 'operator')
    await isRefusedWhenForced(page, scopes)
    expect(complaints).toEqual([])
  })

  test('to the operator, who may not open customer pages', async () => {
    await using visitor = await stage.open(stage.service.operatorToken)
    const { page, complaints } = visitor
    await seesNone(page, 'customer')
    await isRefusedWhenForced(page, 'operator')
    expect(complaints).toEqual([])
  })

  test('to an operator who may only view', async () => {
    const { operator } = stage.service
    const named = { name: 'vera@acme.test', role: 'view' }
    const { token } = expectStatus(201, await operator.post<OperatorCreated>('/v1/operators', named))
    await using visitor = await stage.open(token)
    const { page, complaints } = visitor
    let disabled = 0
    for (const { path } of pages.filter(one => one.viewer === 'operator')) {
      await visit(page, path)
      await page.getByText('vera@acme.test, may view').waitFor({ state: 'attached' })
      expect(await page.getByText('Read only', { exact: true }).count(), path).toBe(1)
      expect(await page.getByRole('button', { name: changes, disabled: false }).count(), path).toBe(0)
      disabled += await page.getByRole('button', { name: changes, disabled: true }).count()
    }
    expect(disabled).toBeGreaterThan(4)
    expect(complaints).toEqual([])
  })

  async function seesOnlyWhatItMay(page: Page, scopes: Person['scopes'], isPortal: boolean): Promise<void> {
    const mayChange = scopes.includes('send')
    const found: string[] = []
    for (const { path } of pages.filter(({ viewer }) => viewer === 'customer')) {
      await visit(page, path)
      const isRefused = (await page.getByRole('heading', { name: 'Not found' }).count()) > 0
      expect(isRefused, path).toBe(isPortal && ownPages.test(path))
      expect(await page.locator('main').innerText(), path).not.toMatch(operatorCommands)
      expect(await page.getByText('Read only', { exact: true }).count(), path).toBe(mayChange ? 0 : 1)
      found.push(...(await controls(page)).filter(name => changes.test(name)))
    }
    if (mayChange) expect(new Set(found).size).toBeGreaterThan(12)
    else expect(found).toEqual([])
  }

  /** Pages of other sessions show a plain message and have no link. */
  async function seesNone(page: Page, viewer: 'customer' | 'operator'): Promise<void> {
    const shared = /^\/(|tools\/signature|settings)$/
    const refusal = page.getByRole('heading', { name: 'Not found' })
    const theirs = pages.filter(one => one.viewer === viewer && !shared.test(one.path))
    await page.goto(theirs[0]?.path ?? '')
    await refusal.waitFor()
    for (const { path } of theirs) {
      await goOn(page, '/tools/signature')
      await refusal.waitFor({ state: 'detached' })
      await goOn(page, path)
      await refusal.waitFor()
      expect(await page.locator(`nav a[href="${path}"]`).count()).toBe(0)
    }
  }

  async function isRefusedWhenForced(page: Page, rights: Rights): Promise<void> {
    const answers: string[] = []
    for (const operation of foreignOperations(rights)) {
      answers.push(`${operation.operationId}: ${await force(page, operation)}`)
    }
    expect(answers.length).toBeGreaterThan(5)
    expect(answers.filter(answer => !answer.endsWith(' 403'))).toEqual([])
  }

  async function openPortal(page: Page, scopes: readonly string[]): Promise<void> {
    const { operator, customer } = stage.service
    const body = { account_id: customer.accountId, scopes }
    const link = expectStatus(201, await operator.post<PortalSessionCreated>('/v1/portal-sessions', body))
    await page.goto(link.url ?? '')
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  }
})
