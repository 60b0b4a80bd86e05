import { createContext, useContext } from 'react'

/** Filters that each link of a chart adds, so that it opens only what the chart counts. */
export interface ChartScope {
  /** An endpoint's id. */
  readonly endpoint?: string
}

const Scope = createContext<ChartScope>({})

export const ChartScopeProvider = Scope.Provider

/** The scope of the charts around; nothing for all endpoints. */
export function useChartScope(): ChartScope {
  return useContext(Scope)
}
