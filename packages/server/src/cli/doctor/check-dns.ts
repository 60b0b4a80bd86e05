import { getServers } from 'node:dns'
import { isIP } from 'node:net'
import type { Config } from '../../config.ts'
import { DnsClient } from '../../dns/dns-client.ts'
import type { Check } from '../check.ts'

/** Every working resolver knows this name. */
const anyName = 'example.com'

/** Checks that DNS answers, because Posthorn needs it to resolve endpoint hosts. */
export async function checkDns({ dnsServers, publicUrl }: Config): Promise<Check> {
  const name = 'DNS'
  const host = publicUrl === null ? '' : new URL(publicUrl).hostname
  const isName = host.includes('.') && isIP(host) === 0
  const asked = isName ? host : anyName
  const servers = (dnsServers ?? getServers()).join(', ')
  const dns = new DnsClient({ servers: dnsServers, timeoutMs: 2_000, tries: 2 })
  const answers = await Promise.allSettled([dns.resolve4(asked), dns.resolve6(asked)])
  const addresses = answers.flatMap(answer => (answer.status === 'fulfilled' ? answer.value : []))
  if (addresses.length > 0) {
    return {
      name,
      state: 'ok',
      found: `${servers} resolves ${asked} to ${addresses.slice(0, 2).join(', ')}`,
    }
  }
  const codes = answers.map(answer => (answer.status === 'rejected' ? codeOf(answer.reason) : 'ENODATA'))
  if (codes.every(code => code === 'ENOTFOUND' || code === 'ENODATA')) {
    const found = `${servers} has no address for ${asked}`
    const advice = isName
      ? 'Publish an A or AAAA record for the host of POSTHORN_PUBLIC_URL'
      : 'Set POSTHORN_DNS_SERVERS to servers that resolve public names'
    return { name, state: 'broken', found, advice }
  }
  return {
    name,
    state: 'broken',
    found: `${servers} does not answer (${codes[0]})`,
    advice: 'Posthorn cannot resolve endpoints: correct /etc/resolv.conf, or set POSTHORN_DNS_SERVERS',
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error)
}
