import { decodePunycode } from './punycode.ts'

/**
 * The ASCII and Unicode spellings of a URL's host, if they differ: `xn--xample-2of.com` and `еxample.com`, which
 * only looks English. Null if both are the same or there is no host.
 */
export function hostSpellings(url: string): { ascii: string; unicode: string } | null {
  const ascii = URL.parse(url)?.hostname ?? ''
  const unicode = ascii
    .split('.')
    .map(label => (label.startsWith('xn--') ? (decodePunycode(label.slice(4)) ?? label) : label))
    .join('.')
  return unicode === ascii ? null : { ascii, unicode }
}
