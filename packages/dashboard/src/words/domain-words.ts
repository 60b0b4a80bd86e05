import type { DomainRecord, DomainRecordPurpose, DomainRecordState, SendingDomain } from '@posthorn/contract'
import { countOf } from '../format/numbers.ts'
import type { Sentence } from './sentence.ts'

export const recordPurposeWords: Readonly<Record<DomainRecordPurpose, string>> = {
  dkim: 'DKIM key',
  dmarc: 'DMARC policy',
  return_path_cname: 'Your own return path',
  link_cname: 'Your own link host',
  return_path_mx: 'Return path: where reports go',
  return_path_spf: 'Return path: who can send',
}

export const recordStateWords: Readonly<Record<DomainRecordState, string>> = {
  unchecked: 'Not checked yet',
  right: 'Correct',
  missing: 'Missing',
  wrong: 'Wrong',
  failed: 'No answer',
}

/** Whether a domain's mail is signed, and what is left to do. */
export interface DomainWords {
  readonly tone: 'delivered' | 'failed' | 'pending'
  /** A word or two for a list. */
  readonly word: string
  readonly headline: string
  readonly facts: readonly Sentence[]
}

export function domainWords({
  name,
  records,
  verified_at: since,
  checked_at: checkedAt,
}: SendingDomain): DomainWords {
  const checked: Sentence[] = checkedAt === null ? [] : [['Checked ', { at: checkedAt, relative: true }, '.']]
  const open = records.filter(({ state }) => state === 'missing' || state === 'wrong')
  if (since !== null) {
    const signed: Sentence = ['Signed since ', { at: since }, '.']
    const left = `${countOf(open.length, 'record', 'records')} to fix`
    return open.length === 0
      ? {
          tone: 'delivered',
          word: 'Signed',
          headline: `Mail from ${name} is signed.`,
          facts: [signed, ...checked],
        }
      : {
          tone: 'failed',
          word: `Signed · ${left}`,
          headline: `Mail from ${name} is signed; ${left}.`,
          facts: [signed, ...checked],
        }
  }
  const dkim = records.find(({ purpose }) => purpose === 'dkim')
  return {
    tone: checkedAt === null ? 'pending' : 'failed',
    word: 'Not signed',
    headline: `Mail from ${name} is not signed yet.`,
    facts: [[notSignedWords(dkim?.state ?? 'unchecked')], ...checked],
  }
}

function notSignedWords(dkim: DomainRecord['state']): string {
  switch (dkim) {
    case 'unchecked':
    case 'right':
      return 'Publish the records below in the DNS of the domain, then check them.'
    case 'missing':
      return 'The DKIM key is not in the DNS. A new record can take up to an hour to appear.'
    case 'wrong':
      return 'The DKIM key in the DNS is wrong. See the record below.'
    case 'failed':
      return 'The DNS did not answer, so we do not know the state of the records. Check again.'
  }
}
