import { liveRegionId } from '../app/announce.ts'

/** The element for `announce`; once on a page. */
export function LiveRegion() {
  return <div id={liveRegionId} role="status" aria-live="polite" className="sr-only" />
}
