import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject } from 'node:crypto'
import type { MasterKey } from './master-keys.ts'

/** Encrypts secrets, keys and request headers for the database. */
export interface Seal {
  seal(purpose: SealPurpose, ids: SealIds, plaintext: Uint8Array): Uint8Array
  /** @throws SealError if the record is damaged or belongs to another row, or if its master key is missing */
  open(purpose: SealPurpose, ids: SealIds, sealed: Uint8Array): Uint8Array
}

export type SealPurpose =
  | 'signing_secret'
  | 'request_headers'
  | 'client_key'
  | 'mail_key'
  | 'dkim_key'
  | 'source_key'
  | 'sign_in'

/** The row of a record. It cannot be decrypted in another row, so that moved records are detected. */
export interface SealIds {
  readonly accountId: string
  /** The endpoint or the sending domain, if the record belongs to one. */
  readonly endpointId?: string
  readonly domainId?: string
  readonly keyId?: string
}

/** An encrypted record could not be decrypted. */
export class SealError extends Error {
  override readonly name = 'SealError'
}

const version = 1
const ivBytes = 12
const tagBytes = 16

/**
 * Encrypts with AES-256-GCM: the first master key encrypts, and all keys decrypt. A record is
 * `version (1) | length of key id (1) | key id | iv (12) | ciphertext | tag (16)`. The tag also authenticates the place of
 * the record and everything before the iv. With 96 random bits, ivs are safe for 2^32 records per master key.
 */
export function createSeal(
  masterKeys: readonly MasterKey[],
  random: { bytes(length: number): Uint8Array },
): Seal {
  const [current] = masterKeys
  if (current === undefined) throw new SealError('at least one master key is needed')
  const keys = new Map(masterKeys.map(({ id, key }) => [id, createSecretKey(key)]))
  const currentKey = createSecretKey(current.key)
  const head = recordHead(current.id)

  return {
    seal(purpose, ids, plaintext) {
      const iv = random.bytes(ivBytes)
      const cipher = createCipheriv('aes-256-gcm', currentKey, iv, { authTagLength: tagBytes })
      cipher.setAAD(additionalData(head, purpose, ids))
      return Buffer.concat([head, iv, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()])
    },

    open(purpose, ids, sealed) {
      const record = parseRecord(sealed)
      const key = keys.get(record.keyId)
      if (key === undefined) {
        throw new SealError(`it is encrypted with master key "${record.keyId}", which is missing`)
      }
      return decrypt(key, record, additionalData(record.head, purpose, ids))
    },
  }
}

/** The first bytes of every record that this master key encrypts. */
export function recordHead(keyId: string): Uint8Array {
  const id = Buffer.from(keyId)
  return Buffer.concat([Buffer.from([version, id.length]), id])
}

/** The id of a record's master key; empty if the record is truncated. */
export function sealedUnder(sealed: Uint8Array): string {
  return Buffer.from(sealed.subarray(2, 2 + (sealed[1] ?? 0))).toString('latin1')
}

interface SealedRecord {
  head: Uint8Array
  keyId: string
  iv: Uint8Array
  ciphertext: Uint8Array
  tag: Uint8Array
}

function parseRecord(sealed: Uint8Array): SealedRecord {
  const idLength = sealed[1] ?? 0
  const ivStart = 2 + idLength
  const textStart = ivStart + ivBytes
  const tagStart = sealed.length - tagBytes
  if (idLength === 0 || tagStart < textStart) throw new SealError('the encrypted record is truncated')
  if (sealed[0] !== version)
    throw new SealError('the version of the encrypted record is unknown to this release')
  return {
    head: sealed.subarray(0, ivStart),
    keyId: Buffer.from(sealed.subarray(2, ivStart)).toString('latin1'),
    iv: sealed.subarray(ivStart, textStart),
    ciphertext: sealed.subarray(textStart, tagStart),
    tag: sealed.subarray(tagStart),
  }
}

function decrypt(key: KeyObject, record: SealedRecord, aad: Uint8Array): Uint8Array {
  // without authTagLength, a tag of only four bytes would be accepted
  const decipher = createDecipheriv('aes-256-gcm', key, record.iv, { authTagLength: tagBytes })
  decipher.setAAD(aad)
  decipher.setAuthTag(record.tag)
  const plaintext = decipher.update(record.ciphertext)
  try {
    return Buffer.concat([plaintext, decipher.final()])
  } catch (cause) {
    throw new SealError(
      'the encrypted record was altered, belongs to another row, or its master key has changed',
      {
        cause,
      },
    )
  }
}

/** Unambiguous, because purposes and ids contain no line break, and the head contains its own length. */
function additionalData(head: Uint8Array, purpose: SealPurpose, ids: SealIds): Uint8Array {
  const place = [purpose, ids.accountId, ids.endpointId ?? ids.domainId ?? '', ids.keyId ?? ''].join('\n')
  return Buffer.concat([head, Buffer.from(place)])
}
