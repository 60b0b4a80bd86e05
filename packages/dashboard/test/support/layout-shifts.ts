declare global {
  interface Window {
    /** The sum of layout shifts without input, and the moved texts. */
    shifts: { sum: number; of: string[] }
  }
}

/** Records layout shifts. It runs in the page before other scripts, so it must not use this module's scope. */
export function noteShifts(): void {
  window.shifts = { sum: 0, of: [] }
  new PerformanceObserver(list => {
    for (const entry of list.getEntries() as (PerformanceEntry & {
      value: number
      hadRecentInput: boolean
      sources: { node: Node | null }[]
    })[]) {
      if (entry.hadRecentInput) continue
      window.shifts.sum += entry.value
      window.shifts.of.push(...entry.sources.map(({ node }) => (node?.textContent ?? '').slice(0, 40)))
    }
  }).observe({ type: 'layout-shift', buffered: true })
}
