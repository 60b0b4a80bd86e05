/** `billing.acme.test`, or the text itself where it is no URL. */
export function hostOf(url: string): string {
  return URL.parse(url)?.host ?? url
}

/** Names endpoints beside each other: by host, with the path where several share one. */
export function endpointNames(urls: readonly string[]): (url: string) => string {
  const hosts = urls.map(hostOf)
  return url => {
    const host = hostOf(url)
    const isShared = hosts.indexOf(host) !== hosts.lastIndexOf(host)
    return isShared ? `${host}${URL.parse(url)?.pathname ?? ''}` : host
  }
}
