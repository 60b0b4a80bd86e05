/**
 * Reads the URL of an OpenID provider. It stays as it is, because the provider must name itself in the same way.
 * @throws Error with the reason
 */
export function parseOidcIssuer(text: string): string {
  const wrong = 'write the https URL that the provider calls its issuer, without a query'
  if (!URL.canParse(text)) throw new Error(wrong)
  const { protocol, hostname, username, password, search, hash } = new URL(text)
  const isAllowed = protocol === 'https:' || (protocol === 'http:' && loopbackHosts.includes(hostname))
  if (!isAllowed || `${username}${password}${search}${hash}` !== '') throw new Error(wrong)
  return text
}

/** Whether people can sign in at this public URL: others could read the session over plain http. */
export function canReturnTo(publicUrl: string): boolean {
  const { protocol, hostname } = new URL(publicUrl)
  return protocol === 'https:' || loopbackHosts.includes(hostname)
}

const loopbackHosts = ['localhost', '127.0.0.1', '[::1]']
