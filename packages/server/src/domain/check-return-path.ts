import { type DnsAnswer, noAnswer, type RecordFinding } from './dns-answer.ts'
import type { WantedRecord } from './domain-records.ts'

/** Checks whether bounces reach the host that receives them. */
export function checkReturnPathMx({ name, value }: WantedRecord, answer: DnsAnswer): RecordFinding {
  if (answer.kind === 'failed') return noAnswer(answer.code)
  if (answer.kind === 'none') {
    const message = `No MX record is published for ${name}, so bounces that arrive by mail are lost. Refusals during SMTP are not affected.`
    return { state: 'missing', found: [], message }
  }
  const wanted = hostOf(value)
  const found = answer.values
  return found.some(one => hostOf(one) === wanted)
    ? { state: 'right', found: [], message: `Bounces are sent to ${wanted}.` }
    : {
        state: 'wrong',
        found,
        message: `Another host receives the mail of ${name}. That is fine if it forwards bounces to Posthorn. Otherwise publish ${wanted}.`,
      }
}

/** Checks whether the SPF record names the sending host. It does not evaluate includes and other terms. */
export function checkReturnPathSpf({ name, value }: WantedRecord, answer: DnsAnswer): RecordFinding {
  if (answer.kind === 'failed') return noAnswer(answer.code)
  const values = answer.kind === 'found' ? answer.values : []
  const records = values.filter(text => /^v=spf1(\s|$)/i.test(text))
  const [record, ...others] = records
  if (record === undefined) {
    return {
      state: 'missing',
      found: [],
      message: `No SPF record is published for ${name}. Add the TXT record.`,
    }
  }
  if (others.length > 0) {
    const message = 'Several SPF records are published, so receivers ignore all of them. Merge them into one.'
    return { state: 'wrong', found: records, message }
  }
  const wanted = value.split(' ')[1] ?? ''
  if (
    record
      .toLowerCase()
      .split(/\s+/)
      .some(term => term === wanted || term === `+${wanted}`)
  ) {
    return { state: 'right', found: [record], message: 'The record names the sending host.' }
  }
  const message = `The published SPF record does not contain ${wanted}. That is fine if it names your sending hosts in another way.`
  return { state: 'wrong', found: [record], message }
}

function hostOf(mx: string): string {
  return (mx.split(' ')[1] ?? '').replace(/\.$/, '').toLowerCase()
}
