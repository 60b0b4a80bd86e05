import { type DnsAnswer, noAnswer, type RecordFinding, recordTags } from './dns-answer.ts'

/** The domains that may have the DMARC record of a domain: itself and those above it, without the top level. */
export function dmarcDomains(name: string): string[] {
  const labels = name.split('.')
  const above = labels.slice(0, -2).map((_, index) => labels.slice(index + 1).join('.'))
  // as many as DMARC itself looks at; a name can have a hundred
  return [name, ...above.slice(-7)]
}

/** What the nearest DMARC record says: of the domain itself, or of the next one above that has one. */
export function judgeDmarcRecord(
  name: string,
  answers: ReadonlyArray<{ readonly domain: string; readonly answer: DnsAnswer }>,
): RecordFinding {
  for (const { domain, answer } of answers) {
    if (answer.kind === 'failed') return noAnswer(answer.code)
    if (answer.kind === 'none') continue
    const records = answer.values.filter(text => /^\s*v\s*=\s*DMARC1\s*(;|$)/.test(text))
    const [record, ...others] = records
    if (record !== undefined) return judge(name, domain, record, others.length, answer.values)
    if (domain === name && answer.values.length > 0) {
      return wrong(answer.values, 'There is a TXT record, but none that begins with v=DMARC1.')
    }
  }
  const message = `No DMARC record is published for ${name}. Mail is signed all the same; the record shown is a start.`
  return { state: 'missing', found: [], message }
}

function judge(
  name: string,
  domain: string,
  record: string,
  others: number,
  values: readonly string[],
): RecordFinding {
  if (others > 0)
    return wrong(values, 'Several DMARC records are published: receivers then ignore all. Leave one.')
  const policy = recordTags(record).get('p')?.toLowerCase()
  if (policy !== 'none' && policy !== 'quarantine' && policy !== 'reject') {
    return wrong([record], 'The record has no valid policy: p= must be none, quarantine or reject.')
  }
  const whose = domain === name ? '' : ` It is the one of ${domain}, which holds for this domain too.`
  return { state: 'right', found: [record], message: `The policy is p=${policy}.${whose}` }
}

function wrong(found: readonly string[], message: string): RecordFinding {
  return { state: 'wrong', found, message }
}
