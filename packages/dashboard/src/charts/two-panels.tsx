import { BarPanel, type Segment } from './bar-panel.tsx'
import type { Plot } from './plot.ts'
import { axisPx, TimeAxis } from './time-axis.tsx'

/** The bars of one panel, from the bottom up. */
export interface Panel {
  readonly title: string
  readonly segments: readonly Segment[]
}

export interface TwoPanelsProps {
  readonly plot: Plot
  readonly heightPx: number
  readonly upper: Panel
  readonly lower: Panel
}

/** What goes wrong is rare and would vanish beside successes, so it has its own scale. */
const lowerShare = 0.36

/** Successes above and the rest below, on one time axis. */
export function TwoPanels({ plot, heightPx, upper, lower }: TwoPanelsProps) {
  const panelsPx = heightPx - axisPx
  const upperPx = Math.round(panelsPx * (1 - lowerShare)) - 6
  return (
    <>
      <BarPanel {...upper} plot={plot} topPx={0} heightPx={upperPx} />
      <BarPanel {...lower} plot={plot} topPx={upperPx + 6} heightPx={panelsPx - upperPx - 6} />
      <TimeAxis plot={plot} topPx={panelsPx} />
    </>
  )
}
