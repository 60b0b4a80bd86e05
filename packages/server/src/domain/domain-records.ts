import { checkHostName } from './host-name.ts'

/** A DNS record that a sending domain should have. */
export interface WantedRecord {
  readonly purpose:
    | 'dkim'
    | 'dmarc'
    | 'return_path_cname'
    | 'link_cname'
    | 'return_path_mx'
    | 'return_path_spf'
  /** We do not sign mail before this record is right. */
  readonly required: boolean
  readonly type: 'TXT' | 'MX' | 'CNAME'
  /** Without a trailing dot. */
  readonly name: string
  readonly value: string
  /** A sentence for the customer. */
  readonly why: string
}

/** The data that the records of a domain contain. */
export interface DomainFacts {
  readonly name: string
  readonly selector: string
  /** SubjectPublicKeyInfo in base64. */
  readonly publicKey: string
  /** A name below the domain; null for the operator's return path. */
  readonly returnPathDomain: string | null
  /** A name below the domain; null for the operator's host. */
  readonly linkHost: string | null
}

/** The domain of the return path, and the host that receives bounces and sends mail for it. */
export interface ReturnPath {
  readonly domain: string
  readonly host: string
}

/** The operator's hosts, which the records of all sending domains name. */
export interface OperatorHosts {
  readonly returnPath: ReturnPath | null
  /** The host of the public URL. */
  readonly publicHost: string
}

/** The records to publish, most important first. */
export function domainRecords(facts: DomainFacts, operator: OperatorHosts): WantedRecord[] {
  const { name, selector, publicKey } = facts
  const { returnPath } = operator
  return [
    {
      purpose: 'dkim',
      required: true,
      type: 'TXT',
      name: `${selector}._domainkey.${name}`,
      value: `v=DKIM1; k=rsa; p=${publicKey}`,
      why: 'Receivers check the signature of your mail with this key. Without it they treat the mail as forged or as spam.',
    },
    {
      purpose: 'dmarc',
      required: false,
      type: 'TXT',
      name: `_dmarc.${name}`,
      value: 'v=DMARC1; p=none',
      why: 'Large mailbox providers require a DMARC record from bulk senders. p=none asks receivers to refuse nothing.',
    },
    ...ownHostRecords(facts, operator),
    ...(returnPath === null || !isPublished(returnPath.host) ? [] : returnPathRecords(returnPath)),
  ]
}

/** During development the host may be an address or `localhost`, which a record cannot contain. */
export function isPublished(host: string): boolean {
  return checkHostName(host, false) === null
}

function ownHostRecords(
  { returnPathDomain, linkHost }: DomainFacts,
  { returnPath, publicHost }: OperatorHosts,
): WantedRecord[] {
  const cname = { required: false, type: 'CNAME' } as const
  const records: WantedRecord[] = []
  if (returnPathDomain !== null && returnPath !== null) {
    records.push({
      ...cname,
      purpose: 'return_path_cname',
      name: returnPathDomain,
      value: returnPath.domain,
      why: 'With your own return path, SPF matches the domain of your From address. Bounces still reach Posthorn.',
    })
  }
  if (linkHost !== null && isPublished(publicHost)) {
    records.push({
      ...cname,
      purpose: 'link_cname',
      name: linkHost,
      value: publicHost,
      why: 'The unsubscribe links of your mail use this host. The operator must serve it with a certificate.',
    })
  }
  return records
}

function returnPathRecords({ domain, host }: ReturnPath): WantedRecord[] {
  const once = 'The operator of Posthorn publishes it once for all sending domains.'
  return [
    {
      purpose: 'return_path_mx',
      required: false,
      type: 'MX',
      name: domain,
      value: `10 ${host}`,
      why: `Bounces are sent to addresses at ${domain}. This record names the host that receives them. ${once}`,
    },
    {
      purpose: 'return_path_spf',
      required: false,
      type: 'TXT',
      name: domain,
      value: `v=spf1 a:${host} ~all`,
      why: `Receivers check which hosts may send mail with a return path at ${domain}. Name every host that sends your mail. ${once}`,
    },
  ]
}
