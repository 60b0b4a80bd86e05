/** Whether the page is in a frame of another page. */
export function isFramed(): boolean {
  return window.top !== window
}

/** The origin of the page that embeds ours, if the browser tells. */
export function hostOrigin(): string | null {
  // Firefox lacks it; the referrer shows the host page's origin unless its policy hides it
  const named: string | undefined = window.location.ancestorOrigins?.[0]
  if (named !== undefined) return named
  return URL.canParse(document.referrer) ? new URL(document.referrer).origin : null
}
