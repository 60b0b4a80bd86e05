import { createContext, useContext } from 'react'

const FilterSheet = createContext(false)

export const FilterSheetProvider = FilterSheet.Provider

/** Whether filters are in the sheet of a phone, where open menus would cover each other. */
export function useIsInSheet(): boolean {
  return useContext(FilterSheet)
}
