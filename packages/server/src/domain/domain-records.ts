import { checkHostName } from './host-name.ts'

/** A DNS record that a sending domain should have. */
export interface WantedRecord {
  readonly purpose: 'dkim' | 'dmarc' | 'return_path_mx' | 'return_path_spf'
  /** Mail is signed only once this one is right. */
  readonly required: boolean
  readonly type: 'TXT' | 'MX'
  /** Without a dot at its end. */
  readonly name: string
  readonly value: string
  /** One sentence for people. */
  readonly why: string
}

/** What the records of a domain are made of. */
export interface DomainFacts {
  readonly name: string
  readonly selector: string
  /** SubjectPublicKeyInfo in base64. */
  readonly publicKey: string
}

/** Where bounces come back to, and the host that takes them and sends for it. */
export interface ReturnPath {
  readonly domain: string
  readonly host: string
}

/** The records to publish, the one that matters most first. */
export function domainRecords(facts: DomainFacts, returnPath: ReturnPath | null): WantedRecord[] {
  const { name, selector, publicKey } = facts
  return [
    {
      purpose: 'dkim',
      required: true,
      type: 'TXT',
      name: `${selector}._domainkey.${name}`,
      value: `v=DKIM1; k=rsa; p=${publicKey}`,
      why: 'Receivers check the signature of your mail with this key; without it they take the mail for forged or as spam.',
    },
    {
      purpose: 'dmarc',
      required: false,
      type: 'TXT',
      name: `_dmarc.${name}`,
      value: 'v=DMARC1; p=none',
      why: 'Large mailbox providers ask for a DMARC record of everybody who sends much; p=none only watches and refuses nothing.',
    },
    ...(returnPath === null || !isPublished(returnPath) ? [] : returnPathRecords(returnPath)),
  ]
}

/** On a laptop the host is an address or `localhost`, which no record can name. */
function isPublished({ host }: ReturnPath): boolean {
  return checkHostName(host, false) === null
}

function returnPathRecords({ domain, host }: ReturnPath): WantedRecord[] {
  const once = 'Whoever runs this Posthorn publishes it, once for all sending domains.'
  return [
    {
      purpose: 'return_path_mx',
      required: false,
      type: 'MX',
      name: domain,
      value: `10 ${host}`,
      why: `Bounces come back to addresses at ${domain}; this says which host takes them. ${once}`,
    },
    {
      purpose: 'return_path_spf',
      required: false,
      type: 'TXT',
      name: domain,
      value: `v=spf1 a:${host} ~all`,
      why: `Receivers ask which hosts may send with a return path at ${domain}. Name every host that your mail leaves by. ${once}`,
    },
  ]
}
