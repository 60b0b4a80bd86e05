import type { OpenPage } from '../../packages/dashboard/test/support/browser.ts'

type Page = OpenPage['page']

/** Milliseconds until each part of the page was visible. */
export interface PageTimes {
  overview: number
  firstRows: number
  filterChange: number
  loadOlder: number
}

/** Loads the overview and the list of deliveries with an empty cache, and uses the list. */
export async function pageTimes(open: () => Promise<OpenPage>): Promise<PageTimes> {
  await using first = await open()
  await first.page.goto('/')
  const overview = await first.page
    .waitForFunction(() => document.querySelector('main figure svg[role=img]') !== null && performance.now())
    .then(async handle => Number(await handle.jsonValue()))

  await using second = await open()
  const { page } = second
  await page.goto('/deliveries')
  const firstRows = await shownAt(page, 50)
  await page.waitForLoadState('networkidle')
  const loadOlder = await sincePress(page, page.getByRole('button', { name: 'Load older' }), 100)
  const filterChange = await sincePress(page, page.getByText('Not delivered', { exact: true }), 50)
  return { overview, firstRows, filterChange, loadOlder }
}

/** When the list shows this many rows, by the clock of the page. */
async function shownAt(page: Page, rows: number): Promise<number> {
  const handle = await page.waitForFunction(
    count =>
      document.querySelectorAll('[role=rowgroup] > [role=row]').length === count &&
      document.querySelector('[aria-label=Loading]') === null &&
      performance.now(),
    rows,
  )
  return Number(await handle.jsonValue())
}

async function sincePress(page: Page, target: ReturnType<Page['getByRole']>, rows: number): Promise<number> {
  await page.evaluate(() => {
    addEventListener('click', () => performance.mark('pressed'), { once: true, capture: true })
  })
  await target.click()
  const at = await shownAt(page, rows)
  return at - (await page.evaluate(() => performance.getEntriesByName('pressed').at(-1)?.startTime ?? 0))
}
