import type { Outside } from '../context.ts'
import {
  domainRecords,
  type DomainFacts,
  type OperatorHosts,
  type WantedRecord,
} from '../domain/domain-records.ts'
import type { RecordFinding } from '../domain/dns-answer.ts'
import { checkDkimRecord } from '../domain/check-dkim-record.ts'
import { checkOwnHost } from '../domain/check-own-host.ts'
import { dmarcDomains, checkDmarcRecord } from '../domain/check-dmarc-record.ts'
import { checkReturnPathMx, checkReturnPathSpf } from '../domain/check-return-path.ts'
import { checkLinkCertificate } from './check-link-certificate.ts'
import type { DomainChecks } from './row.ts'

/** Looks up all records of a domain in parallel. */
export async function lookUpRecords(
  outside: Pick<Outside, 'dns' | 'probe' | 'publicUrl'>,
  facts: DomainFacts,
  operator: OperatorHosts,
): Promise<DomainChecks> {
  const found = await Promise.all(
    domainRecords(facts, operator).map(async record => {
      return [record.purpose, presentable(await lookUp(outside, facts, record))] as const
    }),
  )
  return Object.fromEntries(found)
}

async function lookUp(
  outside: Pick<Outside, 'dns' | 'probe' | 'publicUrl'>,
  facts: DomainFacts,
  record: WantedRecord,
): Promise<RecordFinding> {
  const { purpose, name } = record
  const { dns } = outside
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
    case 'return_path_cname':
    case 'link_cname': {
      const at = await dns.cname(name)
      const atDoubled = at.kind === 'none' ? await dns.cname(`${name}.${facts.name}`) : at
      const finding = checkOwnHost(record, facts.name, { at, atDoubled })
      if (purpose === 'return_path_cname' || finding.state !== 'right') return finding
      return await checkLinkCertificate(outside, name, finding)
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
