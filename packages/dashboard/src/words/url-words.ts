/** `billing.acme.test`, or the text itself if it is not a URL. */
export function hostOf(url: string): string {
  return URL.parse(url)?.host ?? url
}

/** `billing.acme.test/hooks`: host and path, because several endpoints can share a host. */
export function addressOf(url: string): string {
  const parsed = URL.parse(url)
  return parsed === null ? url : (parsed.host + parsed.pathname).replace(/\/$/, '')
}
