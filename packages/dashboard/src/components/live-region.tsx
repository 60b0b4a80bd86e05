import { liveRegionId } from '../app/announce.ts'

/** Where `announce` speaks; once on a page. */
export function LiveRegion() {
  return <div id={liveRegionId} role="status" aria-live="polite" className="sr-only" />
}
