import { useSyncExternalStore } from 'react'

const spacious = '(min-width: 1440px)'

/** Whether the window is wide enough for the columns of a list that are only nice to have. */
export function useIsSpacious(): boolean {
  return useSyncExternalStore(subscribe, () => window.matchMedia(spacious).matches)
}

function subscribe(onChange: () => void): () => void {
  const query = window.matchMedia(spacious)
  query.addEventListener('change', onChange)
  return () => query.removeEventListener('change', onChange)
}
