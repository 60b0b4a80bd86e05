import { type DnsAnswer, noAnswer, type RecordFinding } from './dns-answer.ts'
import type { WantedRecord } from './domain-records.ts'

/** The answers at the name of the record, and at the name with the domain appended twice, which is a common mistake. */
export interface CnameAnswers {
  readonly at: DnsAnswer
  readonly atDoubled: DnsAnswer
}

/** Checks whether a name below the sending domain points to the operator's. */
export function checkOwnHost(
  { name, value }: WantedRecord,
  domain: string,
  { at, atDoubled }: CnameAnswers,
): RecordFinding {
  if (at.kind === 'failed') return noAnswer(at.code)
  if (at.kind === 'none') return missing(name, domain, atDoubled)
  return at.values.every(target => withoutDot(target) === withoutDot(value))
    ? { state: 'right', found: [], message: `${name} points to ${value}.` }
    : { state: 'wrong', found: at.values, message: `The record points to another host. Enter ${value}.` }
}

function missing(name: string, domain: string, atDoubled: DnsAnswer): RecordFinding {
  if (atDoubled.kind === 'found') {
    const short = name.slice(0, -domain.length - 1)
    const message = `The record is at ${name}.${domain}, because your DNS provider appends the domain. Enter ${short} as its name.`
    return { state: 'wrong', found: atDoubled.values, message }
  }
  const message = `No CNAME record is published for ${name}. Add it. If your DNS provider can proxy the name, turn that off.`
  return { state: 'missing', found: [], message }
}

function withoutDot(name: string): string {
  return name.replace(/\.$/, '').toLowerCase()
}
