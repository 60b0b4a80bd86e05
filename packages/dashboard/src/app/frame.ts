/** Whether the page stands in a frame of another page. */
export function isFramed(): boolean {
  return window.top !== window
}

/** Where the page around ours comes from, where the browser says so. */
export function hostOrigin(): string | null {
  // Firefox does not have it; the referrer is what hosts leave of theirs
  const named: string | undefined = window.location.ancestorOrigins?.[0]
  if (named !== undefined) return named
  return URL.canParse(document.referrer) ? new URL(document.referrer).origin : null
}
