import { cidrContains, parseCidr } from './cidr.ts'
import { parseIp } from './ip-address.ts'
import { type OperatorPeople, roleOf } from './operator-people.ts'
import type { OperatorPerson } from './operator-person.ts'

/** Which proxies may say who an operator is, how, and who may do what. */
export interface OperatorProxies extends OperatorPeople {
  /** The name of the header, in lower case. */
  readonly header: string
  /** Their networks. */
  readonly networks: readonly string[]
}

/**
 * The operator that a trusted proxy names; null if the request has the header from another address, or names nobody on the
 * lists. A header that arrives twice names nobody.
 *
 * @param peer the address at the other end of the connection
 */
export function proxiedOperator(
  { header, networks, ...people }: OperatorProxies,
  { peer, headers }: { peer: string; headers: Readonly<Record<string, string | string[] | undefined>> },
): OperatorPerson | null {
  const name = headers[header]
  if (typeof name !== 'string' || !isIn(networks, peer)) return null
  const role = roleOf(people, name)
  return role === null ? null : { name, method: 'proxy', role }
}

/** Reads `POSTHORN_OPERATOR_HEADER`. @throws Error with the reason */
export function parseOperatorHeader(text: string): string {
  const header = text.toLowerCase()
  if (!/^[a-z][a-z0-9-]{0,63}$/.test(header) || taken.includes(header)) {
    throw new Error(`"${text}" is not a header for a name: write one such as X-Forwarded-User`)
  }
  return header
}

/** Clients send these for other purposes. Of several `From` headers, Node keeps the first, which the client may have sent. */
const taken = ['authorization', 'cookie', 'from', 'host', 'origin', 'referer', 'user-agent', 'x-csrf-token']

function isIn(networks: readonly string[], peer: string): boolean {
  const address = parseIp(peer.replace(/^::ffff:(?=[\d.]+$)/i, ''))
  return address !== null && networks.some(network => cidrContains(parseCidr(network), address))
}
