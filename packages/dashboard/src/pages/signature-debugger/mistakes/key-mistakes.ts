import { bytesFromBase64 } from './base64.ts'
import type { Mistake } from './mistake.ts'
import { utf8Bytes } from './utf8.ts'

/**
 * Common mistakes with a secret, in the fields or in the code that created the header. `undone` is the key that
 * signed.
 */
export function keyMistakes(secret: string): Mistake<Uint8Array<ArrayBuffer>>[] {
  const bare = secret.trim().replace(/^["']|["']$/g, '')
  const within = /whsec_[0-9A-Za-z]{43,44}/.exec(secret)?.[0]
  const rest = bare.replace(/^whsec_/, '')
  const candidates: readonly [
    was: string,
    fits: string,
    mender: 'secret' | 'signer',
    key: string | Uint8Array<ArrayBuffer> | null,
  ][] = [
    [
      'whsec_ was cut off the secret',
      'with whsec_ before it',
      'secret',
      bare.startsWith('whsec_') ? null : `whsec_${bare}`,
    ],
    [
      'the field contains more than the secret',
      `with ${within?.slice(0, 10)}… only`,
      'secret',
      within ?? bare,
    ],
    ['the key was used without whsec_', 'with the characters after whsec_ as the key', 'signer', rest],
    [
      'the key was decoded from base64, as Standard Webhooks does',
      'with the base64-decoded secret as the key',
      'signer',
      bytesFromBase64(rest),
    ],
    [
      'the key has a line break at its end',
      'with the secret and a line break as the key',
      'signer',
      `${bare}\n`,
    ],
  ]
  return candidates.flatMap(([was, fits, mender, key]) =>
    key === null || key === secret || key.length === 0
      ? []
      : [{ was, fits, mender, undone: typeof key === 'string' ? utf8Bytes(key) : key }],
  )
}
