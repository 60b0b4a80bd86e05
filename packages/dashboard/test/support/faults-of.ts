import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** A violated accessibility rule, with its place. */
export interface Fault {
  readonly rule: string
  readonly at: readonly string[]
}

/**
 * The accessibility faults that axe finds on a page.
 * @param only names or tags of rules; default: all rules
 */
export async function faultsOf(page: Page, only?: axe.RunOnly): Promise<Fault[]> {
  // inject axe once per page, because it has half a megabyte
  if (await page.evaluate(() => !('axe' in globalThis))) await page.evaluate(axe.source)
  return await page.evaluate(
    async options => {
      const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run(document, options)
      return violations.map(({ id, nodes }) => ({ rule: id, at: nodes.map(node => node.html).slice(0, 3) }))
    },
    // passed rules need no report
    { resultTypes: ['violations' as const], ...(only !== undefined && { runOnly: only }) },
  )
}
