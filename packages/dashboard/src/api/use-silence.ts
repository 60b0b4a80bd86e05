import { useLayoutEffect, useSyncExternalStore } from 'react'
import { useApi } from './api-context.ts'

/** While `isWanted` and mounted, the page makes no requests by itself. */
export function useSilence(isWanted: boolean): void {
  const { silence } = useApi()
  useLayoutEffect(() => (isWanted ? silence.hold() : undefined), [silence, isWanted])
}

/** Whether silence is on. */
export function useIsSilent(): boolean {
  const { silence } = useApi()
  return useSyncExternalStore(silence.subscribe, () => silence.isHeld)
}
