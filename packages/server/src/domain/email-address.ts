/**
 * Normalizes an address for events and filters. The domain becomes lower case and A-labels. The local part stays, because
 * only the receiving host knows whether its case matters.
 *
 * @example
 * normalEmailAddress('Ann@Example.ORG') // 'Ann@example.org'
 */
export function normalEmailAddress(address: string): string {
  const at = address.lastIndexOf('@')
  const domain = address.slice(at + 1)
  return address.slice(0, at + 1) + (isAscii(domain) ? domain.toLowerCase() : asALabels(domain))
}

/** The domain of an address, in lower case and as A-labels. */
export function domainOf(address: string): string {
  const normal = normalEmailAddress(address)
  return normal.slice(normal.lastIndexOf('@') + 1)
}

function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 127) return false
  return true
}

function asALabels(domain: string): string {
  const url = URL.parse(`http://${domain}`)
  // `URL` would cut off parts of what is not a host name, such as `münchen.de/x`
  const isHostOnly = url !== null && url.pathname === '/' && url.port === '' && !/[/?#\\:@]/.test(domain)
  return isHostOnly ? url.hostname : domain.toLowerCase()
}
