import { type DnsAnswer, noAnswer, type RecordFinding, recordTags } from './dns-answer.ts'

/** The answers at the name of the key, and at the name with the domain appended twice, which is a common mistake. */
export interface DkimAnswers {
  readonly at: DnsAnswer
  readonly atDoubled: DnsAnswer
}

/** Compares the published key with the key that signs. */
export function checkDkimRecord(
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
      'Several keys are published at this name, and receivers may use any of them. Leave only the one shown.',
    )
  }
  const fault = faultOf(first, publicKey)
  return fault === null
    ? { state: 'right', found: [], message: 'The key is published. Mail from this domain is signed with it.' }
    : wrong(found, fault)
}

function missing(name: string, atDoubled: DnsAnswer): RecordFinding {
  const [doubled] = atDoubled.kind === 'found' ? atDoubled.values : []
  if (doubled !== undefined) {
    const zone = name.slice(name.indexOf('._domainkey.') + '._domainkey.'.length)
    const short = name.slice(0, -zone.length - 1)
    const message = `The record is at ${name}.${zone}, because your DNS provider appends the domain. Enter ${short} as its name.`
    return { state: 'wrong', found: [doubled], message }
  }
  const message = `Nothing is published at ${name}. Add the TXT record. It can take up to an hour to appear.`
  return { state: 'missing', found: [], message }
}

function faultOf(text: string, publicKey: string): string | null {
  const tags = recordTags(text)
  const key = (tags.get('p') ?? '').replaceAll(/\s/g, '')
  if (key === '') return 'The published key is empty (p=), so it is revoked. Publish the value shown.'
  if (/["\\]/.test(text))
    return 'Quotes or backslashes are part of the published value. Enter it without them.'
  if (key !== publicKey) {
    return publicKey.startsWith(key)
      ? `The published key is cut off after ${key.length} of ${publicKey.length} characters. If your provider accepts at most 255 at once, enter the value in several quoted parts of one record.`
      : 'Another key is published, perhaps from another mail service or from before this domain was deleted here. Replace it with the value shown.'
  }
  if ((tags.get('v') ?? 'DKIM1') !== 'DKIM1') return 'The record must begin with v=DKIM1.'
  if ((tags.get('k') ?? 'rsa') !== 'rsa') return 'The key type is rsa, but k= says another.'
  return null
}

function wrong(found: readonly string[], message: string): RecordFinding {
  return { state: 'wrong', found, message }
}
