import { createAddressPolicy, type AddressPolicy } from './address-policy.ts'
import { checkHostName } from './host-name.ts'
import { parseIp } from './ip-address.ts'

/** Which endpoint URLs the operator allows. */
export interface UrlPolicy {
  /** Allows `http:` and any port. */
  readonly allowHttp: boolean
  /** Ports that an `https:` URL may name. */
  readonly ports: readonly number[]
  readonly addresses: AddressPolicy
}

export type UrlVerdict = { ok: true; url: string } | { ok: false; reason: string }

/** Creates the policy from the operator's egress settings. Throws if an address range is malformed. */
export function createUrlPolicy(settings: {
  allowCidrs: readonly string[]
  denyCidrs?: readonly string[]
  allowHttp: boolean
  ports: readonly number[]
}): UrlPolicy {
  return {
    allowHttp: settings.allowHttp,
    ports: settings.ports,
    addresses: createAddressPolicy(settings.allowCidrs, settings.denyCidrs),
  }
}

const lengthMax = 2048
// characters that some parsers drop, replace or treat as the end
const ambiguousCharacter = /[^!-[\]-~\u00a1-\u{10ffff}]/u
const parts = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)/i
const hostAndPort = /^(\[[0-9a-f:.]+\]|[^:[\]]+)(?::([0-9]{1,5}))?$/i

/**
 * Checks an endpoint URL without DNS, and returns it in the form to store. `reason` is a sentence for the customer. Every
 * connection checks the address again, so this check only gives early feedback.
 *
 * @example
 * checkEndpointUrl('https://Hooks.example.com', policy) // { ok: true, url: 'https://hooks.example.com/' }
 */
export function checkEndpointUrl(text: string, policy: UrlPolicy): UrlVerdict {
  const trimmed = text.trim()
  if (trimmed.length > lengthMax) return refuse(`The URL may have at most ${lengthMax} characters.`)
  if (ambiguousCharacter.test(trimmed)) {
    return refuse('The URL must not contain spaces, control characters or backslashes.')
  }
  const found = parts.exec(trimmed)
  if (found === null) return refuse('Write the whole URL, such as https://example.com/webhooks.')
  const [, scheme = '', authority = ''] = found
  const allowedScheme = checkScheme(scheme.toLowerCase(), policy)
  if (allowedScheme !== null) return refuse(allowedScheme)
  if (authority.includes('@')) return refuse('The URL must not contain a user name or password.')
  if (trimmed.includes('#')) return refuse('The URL must not contain a fragment (#…).')
  if (!URL.canParse(trimmed)) return refuse('The URL cannot be read: check its host and port.')

  const url = new URL(trimmed)
  const reason = checkAuthority(authority, url, policy)
  if (reason !== null) return refuse(reason)
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1)
  if (url.href.length > lengthMax) return refuse(`The URL may have at most ${lengthMax} characters.`)
  return { ok: true, url: url.href }
}

function refuse(reason: string): UrlVerdict {
  return { ok: false, reason }
}

function checkScheme(scheme: string, policy: UrlPolicy): string | null {
  if (scheme === 'https' || (scheme === 'http' && policy.allowHttp)) return null
  if (policy.allowHttp) return 'The URL must begin with https:// or http://.'
  return scheme === 'http'
    ? 'The URL must begin with https://. The operator can allow http with POSTHORN_EGRESS_HTTP=true.'
    : 'The URL must begin with https://.'
}

/** Compares the written host with the parsed one, so that no spelling hides another host. */
function checkAuthority(authority: string, url: URL, policy: UrlPolicy): string | null {
  if (/[^!-~]/.test(authority)) {
    return `Write the host in its ASCII form, ${url.hostname}, if you mean that one.`
  }
  const [, host, port] = hostAndPort.exec(authority) ?? []
  if (host === undefined) return 'The host or the port of the URL cannot be read.'
  if (host.toLowerCase() !== url.hostname) {
    return `The host is ambiguous, because parsers can read it in two ways: write ${url.hostname} if you mean that one.`
  }
  return checkPort(port, url, policy) ?? checkHost(url.hostname, policy)
}

function checkPort(written: string | undefined, url: URL, policy: UrlPolicy): string | null {
  if (written !== undefined && Number(written) === 0) return 'Port 0 cannot be used.'
  if (policy.allowHttp) return null
  const port = url.port === '' ? 443 : Number(url.port)
  return policy.ports.includes(port)
    ? null
    : `Port ${port} is not allowed: use ${policy.ports.join(' or ')}. The operator can allow others with POSTHORN_EGRESS_PORTS.`
}

function checkHost(hostname: string, policy: UrlPolicy): string | null {
  const address = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
  if (parseIp(address) === null) {
    const reason = checkHostName(hostname, policy.addresses.operatorAllowsAny)
    const couldBeOpened = reason !== null && checkHostName(hostname, true) === null
    return couldBeOpened
      ? `${reason} The operator can allow names of a private network with POSTHORN_EGRESS_ALLOW.`
      : reason
  }
  return policy.addresses.isAllowedByOperator(address)
    ? null
    : 'The host must be a name, not an IP address. The operator can allow addresses with POSTHORN_EGRESS_ALLOW.'
}
