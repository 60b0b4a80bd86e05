/** Says something once to people who listen instead of look. The element is `LiveRegion`'s. */
export function announce(words: string): void {
  const region = document.getElementById(liveRegionId)
  if (region === null) return
  region.textContent = ''
  // a region that is given the same words again keeps silent, so they are taken away for a moment
  requestAnimationFrame(() => (region.textContent = words))
}

export const liveRegionId = 'announcements'
