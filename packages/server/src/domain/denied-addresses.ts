/** A range of addresses that we do not connect to, and why. */
export interface DeniedRange {
  cidr: string
  why: string
}

/** Refused even if the operator allows them, because these addresses give out a machine's credentials. */
export const alwaysDenied: readonly DeniedRange[] = [
  { cidr: '169.254.0.0/16', why: 'link-local, cloud metadata' },
  { cidr: '100.100.100.200/32', why: 'cloud metadata (Alibaba)' },
  { cidr: '168.63.129.16/32', why: 'cloud platform (Azure)' },
  { cidr: '192.0.0.192/32', why: 'cloud metadata (Oracle)' },
  { cidr: 'fe80::/10', why: 'link-local' },
  { cidr: 'fd00:ec2::254/128', why: 'cloud metadata (AWS)' },
  { cidr: 'fd00:ec2::23/128', why: 'cloud credentials (AWS)' },
  { cidr: 'fd20:ce::254/128', why: 'cloud metadata (Google)' },
  { cidr: 'fd00:c1::a9fe:a9fe/128', why: 'cloud metadata (Oracle)' },
  { cidr: 'fd00:100::100:200/128', why: 'cloud metadata (Alibaba)' },
  { cidr: 'fd00:a9fe:a9fe::1/128', why: 'cloud metadata (Akamai)' },
  { cidr: 'fd00:42::42/128', why: 'cloud metadata (Scaleway)' },
]

/** IPv4 ranges that are not public, from the IANA special-purpose registry and from cloud providers. */
export const deniedIpv4: readonly DeniedRange[] = [
  { cidr: '0.0.0.0/8', why: 'this network' },
  { cidr: '10.0.0.0/8', why: 'private' },
  { cidr: '100.64.0.0/10', why: 'shared by carriers' },
  { cidr: '127.0.0.0/8', why: 'loopback' },
  { cidr: '161.26.0.0/16', why: 'cloud services (IBM)' },
  { cidr: '166.8.0.0/14', why: 'cloud services (IBM)' },
  { cidr: '172.16.0.0/12', why: 'private' },
  { cidr: '192.0.0.0/24', why: 'protocol assignments' },
  { cidr: '192.0.2.0/24', why: 'documentation' },
  { cidr: '192.31.196.0/24', why: 'AS112' },
  { cidr: '192.52.193.0/24', why: 'AMT' },
  { cidr: '192.88.99.0/24', why: '6to4 relay' },
  { cidr: '192.168.0.0/16', why: 'private' },
  { cidr: '192.175.48.0/24', why: 'AS112' },
  { cidr: '198.18.0.0/15', why: 'benchmarking' },
  { cidr: '198.51.100.0/24', why: 'documentation' },
  { cidr: '203.0.113.0/24', why: 'documentation' },
  { cidr: '224.0.0.0/4', why: 'multicast' },
  { cidr: '240.0.0.0/4', why: 'reserved' },
]

/** The only IPv6 range that can be public. Everything outside it is refused. */
export const publicIpv6 = '2000::/3'

/** Ranges inside `publicIpv6` that are not public. */
export const deniedIpv6: readonly DeniedRange[] = [
  { cidr: '2001::/23', why: 'protocol assignments, Teredo' },
  { cidr: '2001:db8::/32', why: 'documentation' },
  { cidr: '2002::/16', why: '6to4' },
  { cidr: '2620:4f:8000::/48', why: 'AS112' },
  { cidr: '3ffe::/16', why: '6bone' },
  { cidr: '3fff::/20', why: 'documentation' },
]

/** Where IPv6 addresses of a range contain an IPv4 address: 32 bits, `shift` bits from the end. */
export interface EmbeddedIpv4 {
  cidr: string
  shift: bigint
  /** `inverted`: every bit is flipped (Teredo). `split`: skips bits 64 to 71 (NAT64, RFC 6052). */
  form: 'plain' | 'inverted' | 'split'
}

/** If an operator allows one of these ranges, embedded metadata addresses are still refused. */
export const embeddedIpv4: readonly EmbeddedIpv4[] = [
  { cidr: '::/96', shift: 0n, form: 'plain' },
  { cidr: '::ffff:0:0/96', shift: 0n, form: 'plain' },
  { cidr: '::ffff:0:0:0/96', shift: 0n, form: 'plain' },
  { cidr: '64:ff9b::/96', shift: 0n, form: 'plain' },
  { cidr: '64:ff9b:1::/48', shift: 0n, form: 'plain' },
  { cidr: '64:ff9b:1::/48', shift: 40n, form: 'split' },
  { cidr: '64:ff9b:1::/48', shift: 32n, form: 'split' },
  { cidr: '64:ff9b:1::/48', shift: 24n, form: 'split' },
  { cidr: '2002::/16', shift: 80n, form: 'plain' },
  { cidr: '2001::/32', shift: 64n, form: 'plain' },
  { cidr: '2001::/32', shift: 0n, form: 'inverted' },
]
