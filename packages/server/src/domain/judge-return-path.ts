import { type DnsAnswer, noAnswer, type RecordFinding } from './dns-answer.ts'
import type { WantedRecord } from './domain-records.ts'

/** Whether bounces find the host that takes them. */
export function judgeReturnPathMx({ name, value }: WantedRecord, answer: DnsAnswer): RecordFinding {
  if (answer.kind === 'failed') return noAnswer(answer.code)
  if (answer.kind === 'none') {
    const message = `No MX is published for ${name}: bounces that come by mail get lost. Those in the SMTP dialogue are seen all the same.`
    return { state: 'missing', found: [], message }
  }
  const wanted = hostOf(value)
  const found = answer.values
  return found.some(one => hostOf(one) === wanted)
    ? { state: 'right', found: [], message: `Bounces come to ${wanted}.` }
    : {
        state: 'wrong',
        found,
        message: `Another host takes the mail of ${name}. That is fine if it passes bounces on to Posthorn; else publish ${wanted}.`,
      }
}

/** Whether the hosts that send are named. What a record comes to in the end, only a receiver can work out. */
export function judgeReturnPathSpf({ name, value }: WantedRecord, answer: DnsAnswer): RecordFinding {
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
    const message = 'Several SPF records are published: receivers then ignore all. Make one of them.'
    return { state: 'wrong', found: records, message }
  }
  const wanted = value.split(' ')[1] ?? ''
  if (
    record
      .toLowerCase()
      .split(/\s+/)
      .some(term => term === wanted || term === `+${wanted}`)
  ) {
    return { state: 'right', found: [record], message: 'The sending host is named.' }
  }
  const message = `An SPF record is published that does not have ${wanted}. That is fine if it names your sending hosts in another way.`
  return { state: 'wrong', found: [record], message }
}

function hostOf(mx: string): string {
  return (mx.split(' ')[1] ?? '').replace(/\.$/, '').toLowerCase()
}
