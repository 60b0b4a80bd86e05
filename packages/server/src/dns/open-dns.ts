import type { DnsLookup } from '../context.ts'
import type { DnsAnswer } from '../domain/dns-answer.ts'
import { DnsClient } from './dns-client.ts'

/**
 * Looks up the DNS records of sending domains.
 *
 * @param servers each is `address` or `address:port`; null for those of the system
 */
export function openDns(servers: readonly string[] | null): DnsLookup {
  const client = new DnsClient({ servers, timeoutMs: 2_000, tries: 2 })
  return {
    txt: async name => await answered(client.resolveTxt(name), text => text),
    mx: async name =>
      await answered(client.resolveMx(name), ({ priority, exchange }) => `${priority} ${exchange}`),
    cname: async name => await answered(client.resolveCname(name), target => target),
  }
}

async function answered<Record>(
  asking: Promise<readonly Record[]>,
  toText: (record: Record) => string,
): Promise<DnsAnswer> {
  try {
    const records = await asking
    return records.length === 0 ? { kind: 'none' } : { kind: 'found', values: records.map(toText) }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    return code === 'ENODATA' || code === 'ENOTFOUND' ? { kind: 'none' } : { kind: 'failed', code }
  }
}
