declare global {
  interface Window {
    /** How far things have moved by themselves, as browsers reckon it, and which. */
    shifts: { sum: number; of: string[] }
  }
}

/** Notes what jumps. Runs in the page before anything else does, so it stands alone. */
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
