import type { DnsLookup } from '../context.ts'
import {
  domainRecords,
  type DomainFacts,
  type ReturnPath,
  type WantedRecord,
} from '../domain/domain-records.ts'
import type { RecordFinding } from '../domain/dns-answer.ts'
import { checkDkimRecord } from '../domain/check-dkim-record.ts'
import { dmarcDomains, checkDmarcRecord } from '../domain/check-dmarc-record.ts'
import { checkReturnPathMx, checkReturnPathSpf } from '../domain/check-return-path.ts'
import type { DomainChecks } from './row.ts'

/** Looks up all records of a domain in parallel. */
export async function lookUpRecords(
  dns: DnsLookup,
  facts: DomainFacts,
  returnPath: ReturnPath | null,
): Promise<DomainChecks> {
  const found = await Promise.all(
    domainRecords(facts, returnPath).map(async record => {
      return [record.purpose, presentable(await lookUp(dns, facts, record))] as const
    }),
  )
  return Object.fromEntries(found)
}

async function lookUp(dns: DnsLookup, facts: DomainFacts, record: WantedRecord): Promise<RecordFinding> {
  const { purpose, name } = record
  switch (purpose) {
    case 'dkim': {
      const at = await dns.txt(name)
      const atDoubled = at.kind === 'none' ? await dns.txt(`${name}.${facts.name}`) : at
      return checkDkimRecord(name, facts.publicKey, { at, atDoubled })
    }
    case 'dmarc': {
      const domains = dmarcDomains(facts.name)
      const answers = await Promise.all(
        domains.map(async domain => ({ domain, answer: await dns.txt(`_dmarc.${domain}`) })),
      )
      return checkDmarcRecord(facts.name, answers)
    }
    case 'return_path_mx':
      return checkReturnPathMx(record, await dns.mx(name))
    case 'return_path_spf':
      return checkReturnPathSpf(record, await dns.txt(name))
  }
}

const foundMax = 5
const charactersMax = 1_000

/** Limits the untrusted text from DNS, and removes characters that a page or the database cannot hold. */
function presentable(finding: RecordFinding): RecordFinding {
  const clean = (text: string): string =>
    text
      .slice(0, charactersMax)
      .toWellFormed()
      .replaceAll(/\p{Cc}/gu, '\uFFFD')
  return { ...finding, found: finding.found.slice(0, foundMax).map(clean) }
}
