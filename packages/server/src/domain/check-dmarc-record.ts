import { type DnsAnswer, noAnswer, type RecordFinding, recordTags } from './dns-answer.ts'

/** The domains whose DMARC record can apply: the domain itself and its parents, without the top level. */
export function dmarcDomains(name: string): string[] {
  const labels = name.split('.')
  const above = labels.slice(0, -2).map((_, index) => labels.slice(index + 1).join('.'))
  // DMARC limits the number of queries too, because a name can have a hundred labels
  return [name, ...above.slice(-7)]
}

/** Checks the nearest DMARC record: of the domain itself, or of the next parent that has one. */
export function checkDmarcRecord(
  name: string,
  answers: ReadonlyArray<{ readonly domain: string; readonly answer: DnsAnswer }>,
): RecordFinding {
  for (const { domain, answer } of answers) {
    if (answer.kind === 'failed') return noAnswer(answer.code)
    if (answer.kind === 'none') continue
    const records = answer.values.filter(text => /^\s*v\s*=\s*DMARC1\s*(;|$)/.test(text))
    const [record, ...others] = records
    if (record !== undefined) return checkRecord(name, domain, record, others.length, answer.values)
    if (domain === name && answer.values.length > 0) {
      return wrong(answer.values, 'There is a TXT record, but none that begins with v=DMARC1.')
    }
  }
  const message = `No DMARC record is published for ${name}. Mail is signed anyway. Publish the record shown to begin with.`
  return { state: 'missing', found: [], message }
}

function checkRecord(
  name: string,
  domain: string,
  record: string,
  others: number,
  values: readonly string[],
): RecordFinding {
  if (others > 0)
    return wrong(
      values,
      'Several DMARC records are published, so receivers ignore all of them. Leave only one.',
    )
  const policy = recordTags(record).get('p')?.toLowerCase()
  if (policy !== 'none' && policy !== 'quarantine' && policy !== 'reject') {
    return wrong([record], 'The record has no valid policy: p= must be none, quarantine or reject.')
  }
  const whose = domain === name ? '' : ` The record of ${domain} applies to this domain too.`
  return { state: 'right', found: [record], message: `The policy is p=${policy}.${whose}` }
}

function wrong(found: readonly string[], message: string): RecordFinding {
  return { state: 'wrong', found, message }
}
