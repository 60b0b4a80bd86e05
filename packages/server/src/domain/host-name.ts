import { normalEmailAddress } from './email-address.ts'

/**
 * A host name that a person entered: in lower case, as A-labels, without a trailing dot.
 *
 * @example
 * asHostName('Links.Bücher.example.') // 'links.xn--bcher-kva.example'
 */
export function asHostName(text: string): string {
  return normalEmailAddress(`@${text.trim().replace(/\.$/, '')}`).slice(1)
}

/**
 * Explains what is wrong with a lower-case host name, or returns null. `internalAllowed`: the operator allows internal ranges,
 * so names of a private network are valid.
 */
export function checkHostName(hostname: string, internalAllowed: boolean): string | null {
  const name = hostname.endsWith('.') ? hostname.slice(0, -1) : hostname
  if (name.length > 253) return 'The host name is longer than 253 characters.'
  const labels = name.split('.')
  if (!labels.every(label => label.length <= 63 && /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(label))) {
    return 'The host name may contain letters, digits and inner hyphens, at most 63 between two dots.'
  }
  if (metadataNames.has(name)) return 'The host is a cloud metadata service.'
  if (internalAllowed) return null
  if (labels.length < 2) return 'The host must be a full name in public DNS, such as hooks.example.com.'
  if (internalSuffixes.some(suffix => name === suffix || name.endsWith(`.${suffix}`))) {
    return `The host ${name} is a name for internal use. It is not in public DNS.`
  }
  if (!/^([a-z]+|xn--[a-z0-9-]+)$/.test(labels.at(-1) ?? '')) {
    return 'The host must end in a top-level domain, such as .com.'
  }
  return null
}

const metadataNames = new Set([
  'metadata.google.internal',
  'metadata.goog',
  'instance-data',
  'instance-data.ec2.internal',
])

const internalSuffixes = [
  'localhost',
  'local',
  'internal',
  'lan',
  'home.arpa',
  'onion',
  'svc',
  'cluster.local',
  'host.docker.internal',
]
