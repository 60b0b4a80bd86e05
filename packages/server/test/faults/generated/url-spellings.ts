import fc from 'fast-check'
import { formatIp, type IpAddress } from '../../../src/domain/ip-address.ts'
import { ipv4InIpv6 } from '../../domain/ipv4-in-ipv6.ts'

/** All known spellings of an address as the host of a URL. */
export function hostsOf({ family, value }: IpAddress): string[] {
  if (family === 6) {
    const whole = formatIp({ family, value })
    return [`[${whole}]`, `[${whole.toUpperCase()}]`, `[${whole}%25lo]`, `[${canonical(whole)}]`]
  }
  const n = Number(value)
  const parts = [n >>> 24, (n >>> 16) & 255, (n >>> 8) & 255, n & 255]
  const [a = 0, b = 0, c = 0] = parts
  const dotted = parts.join('.')
  return [
    dotted,
    `${dotted}.`,
    String(n),
    `0x${n.toString(16)}`,
    `0X${n.toString(16).toUpperCase()}`,
    `0${n.toString(8)}`,
    `${a}.${n & 0xffffff}`,
    `${a}.${b}.${n & 0xffff}`,
    `0x${a.toString(16)}.${n & 0xffffff}`,
    parts.map(part => `0${part.toString(8)}`).join('.'),
    parts.map(part => `0x${part.toString(16)}`).join('.'),
    parts.map(part => `000${part.toString(8)}`).join('.'),
    `${a}.0x${b.toString(16)}.0${c.toString(8)}.${n & 255}`,
    dotted.replaceAll('.', '。'),
    dotted.replaceAll('.', '．'),
    dotted.replaceAll(/\d/g, digit => String.fromCodePoint(0xff10 + Number(digit))),
    dotted.replaceAll(/[1-9]/g, digit => String.fromCodePoint(0x2460 + Number(digit) - 1)),
    dotted.replaceAll(/./g, one => `%${one.charCodeAt(0).toString(16)}`),
    dotted.replace('.', '%2e'),
    dotted.replace('.', '\u00ad.'),
    dotted.replace('.', '\t.'),
    ...ipv4InIpv6(value).map(one => `[${one}]`),
  ]
}

function canonical(ipv6: string): string {
  return new URL(`http://[${ipv6}]`).hostname.slice(1, -1)
}

const choices = {
  before: ['', '', '', ' ', '\t', '\n'],
  scheme: [
    'https://',
    'https://',
    'http://',
    'HTTPS://',
    'https:',
    'https:/',
    'https:///',
    'https:\\\\',
    'ht\ntps://',
    '//',
  ],
  user: ['', '', '', 'example.com@', 'user:secret@', 'example.com\\@', '1.1.1.1 &@', '@', 'example.com%40'],
  port: ['', '', ':443', ':8443', ':0443', ':0', ':', ':65536'],
  after: [
    '',
    '/',
    '/hook?a=b',
    '#',
    '#@example.com/',
    '?@example.com',
    '\\@example.com',
    '/\t',
    '/..//',
    ';x',
  ],
}

/** A URL with this host, in one of the spellings that people and attackers use. */
export function urlsWith(hosts: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const { before, scheme, user, port, after } = choices
  return fc
    .tuple(
      fc.constantFrom(...before),
      fc.constantFrom(...scheme),
      fc.constantFrom(...user),
      hosts,
      fc.constantFrom(...port),
      fc.constantFrom(...after),
    )
    .map(parts => parts.join(''))
}
