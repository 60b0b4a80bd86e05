import { type DnsAnswer, noAnswer, type RecordFinding, recordTags } from './dns-answer.ts'

/** What was found at the name of a DKIM key, and where it stands when the domain was appended to it once more. */
export interface DkimAnswers {
  readonly at: DnsAnswer
  readonly atDoubled: DnsAnswer
}

/** Compares what is published with the key that signs. */
export function judgeDkimRecord(
  name: string,
  publicKey: string,
  { at, atDoubled }: DkimAnswers,
): RecordFinding {
  if (at.kind === 'failed') return noAnswer(at.code)
  if (at.kind === 'none') return missing(name, atDoubled)
  const found = at.values
  const keys = found.filter(text => recordTags(text).has('p'))
  const [first, ...others] = keys
  if (first === undefined) {
    return wrong(found, `There is a TXT record, but none with a key (p=). Add the value shown at ${name}.`)
  }
  if (others.length > 0) {
    return wrong(
      found,
      'Several keys are published at this name, and receivers may take any. Leave only the one shown.',
    )
  }
  const fault = faultOf(first, publicKey)
  return fault === null
    ? { state: 'right', found: [], message: 'The key is published: mail of this domain is signed with it.' }
    : wrong(found, fault)
}

function missing(name: string, atDoubled: DnsAnswer): RecordFinding {
  const [doubled] = atDoubled.kind === 'found' ? atDoubled.values : []
  if (doubled !== undefined) {
    const zone = name.slice(name.indexOf('._domainkey.') + '._domainkey.'.length)
    const short = name.slice(0, -zone.length - 1)
    const message = `The record stands at ${name}.${zone}: your DNS provider appends the domain by itself. Enter ${short} as its name.`
    return { state: 'wrong', found: [doubled], message }
  }
  const message = `Nothing is published at ${name}. Add the TXT record; it can take some minutes until everybody sees it.`
  return { state: 'missing', found: [], message }
}

function faultOf(text: string, publicKey: string): string | null {
  const tags = recordTags(text)
  const key = (tags.get('p') ?? '').replaceAll(/\s/g, '')
  if (key === '') return 'The published key is empty (p=), which means revoked. Publish the value shown.'
  if (/["\\]/.test(text))
    return 'Quotes or backslashes are part of the published value. Enter it without them.'
  if (key !== publicKey) {
    return publicKey.startsWith(key)
      ? `The published key is cut off after ${key.length} of ${publicKey.length} characters. If your provider takes at most 255 at once, enter the value in several quoted parts of one record.`
      : 'Another key is published, perhaps of another mail service or of this domain before it was deleted here. Replace it by the value shown.'
  }
  if ((tags.get('v') ?? 'DKIM1') !== 'DKIM1') return 'The record must begin with v=DKIM1.'
  if ((tags.get('k') ?? 'rsa') !== 'rsa') return 'The key is of type rsa, but k= says another.'
  return null
}

function wrong(found: readonly string[], message: string): RecordFinding {
  return { state: 'wrong', found, message }
}
