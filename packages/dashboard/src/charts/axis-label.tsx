import type { ReactNode } from 'react'

export interface AxisLabelProps {
  readonly x: number
  readonly y: number
  readonly anchor: 'start' | 'middle' | 'end'
  readonly children: ReactNode
}

/** A text in a chart, hidden from screen readers because the chart's name says it. */
export function AxisLabel({ x, y, anchor, children }: AxisLabelProps) {
  return (
    <text x={x} y={y} textAnchor={anchor} className="fill-ink-3 text-label">
      {children}
    </text>
  )
}
