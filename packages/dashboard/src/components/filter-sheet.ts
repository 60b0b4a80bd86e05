import { createContext, useContext } from 'react'

const FilterSheet = createContext(false)

export const FilterSheetProvider = FilterSheet.Provider

/** Whether filters lie open in the sheet of a phone, where menus would cover each other. */
export function useIsInSheet(): boolean {
  return useContext(FilterSheet)
}
