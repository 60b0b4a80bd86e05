import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** A rule of accessibility that a page breaks, and where. */
export interface Fault {
  readonly rule: string
  readonly at: readonly string[]
}

/**
 * What axe finds wrong on a page as it looks now.
 * @param only rules or tags of rules by name; all rules without
 */
export async function faultsOf(page: Page, only?: axe.RunOnly): Promise<Fault[]> {
  // once for each page that is loaded: it is half a megabyte
  if (await page.evaluate(() => !('axe' in globalThis))) await page.evaluate(axe.source)
  return await page.evaluate(
    async options => {
      const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run(document, options)
      return violations.map(({ id, nodes }) => ({ rule: id, at: nodes.map(node => node.html).slice(0, 3) }))
    },
    // what is right need not be described
    { resultTypes: ['violations' as const], ...(only !== undefined && { runOnly: only }) },
  )
}
