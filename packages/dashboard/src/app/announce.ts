/** Announces a text once to screen readers, through `LiveRegion`. */
export function announce(words: string): void {
  const region = document.getElementById(liveRegionId)
  if (region === null) return
  region.textContent = ''
  // screen readers ignore the same text twice, so clear it first
  requestAnimationFrame(() => (region.textContent = words))
}

export const liveRegionId = 'announcements'
