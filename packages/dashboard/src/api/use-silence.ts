import { useLayoutEffect, useSyncExternalStore } from 'react'
import { useApi } from './api-context.ts'

/** While `isWanted`, and as long as the caller is on the page, the page asks nothing by itself. */
export function useSilence(isWanted: boolean): void {
  const { silence } = useApi()
  useLayoutEffect(() => (isWanted ? silence.hold() : undefined), [silence, isWanted])
}

/** Whether the page keeps silence at the moment. */
export function useIsSilent(): boolean {
  const { silence } = useApi()
  return useSyncExternalStore(silence.subscribe, () => silence.isHeld)
}
