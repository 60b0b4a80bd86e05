import { createHmac, hash } from 'node:crypto'

const BLOCK_BYTES = 64
// Beyond this the hashing itself outweighs what the object around it costs.
const SMALL_BYTES = 8192

/**
 * Makes HMAC-SHA256 of `t`, a dot and the body under each secret, in lower-case hex, at once.
 *
 * For the small bodies that webhooks have, most of the time of `createHmac` goes into making its object. HMAC is
 * two plain hashes (RFC 2104): of the key's block, mixed with one constant, and the message; then of the block,
 * mixed with another, and the first result. Done that way a body of 512 bytes takes two thirds of the time.
 */
export function nodeHmac(secrets: readonly string[], timestampText: string, body: Uint8Array): string[] {
  const prefix = `${timestampText}.`
  if (body.length > SMALL_BYTES) {
    return secrets.map(secret => createHmac('sha256', secret).update(prefix).update(body).digest('hex'))
  }
  const message = BLOCK_BYTES + prefix.length
  inner.write(prefix, BLOCK_BYTES, 'latin1')
  inner.set(body, message)
  const filled = new Uint8Array(inner.buffer, 0, message + body.length)
  return secrets.map(secret => {
    mixKey(secret)
    outer.write(hash('sha256', filled, 'binary'), BLOCK_BYTES, 'latin1')
    return hash('sha256', outer, 'hex')
  })
}

// Used again by every call, none of which can be interrupted: memory of this size is slow to come by.
const inner = Buffer.alloc(BLOCK_BYTES + 16 + SMALL_BYTES)
const outer = Buffer.alloc(BLOCK_BYTES + 32)
// The keys' blocks of both, four bytes at a time; memory that alloc gives is shared with no other buffer.
const innerWords = new Int32Array(inner.buffer, 0, BLOCK_BYTES / 4)
const outerWords = new Int32Array(outer.buffer, 0, BLOCK_BYTES / 4)

/** Puts the key's block in front of both messages; a key that is longer than the block counts as its hash. */
function mixKey(secret: string): void {
  outerWords.fill(0)
  if (Buffer.byteLength(secret) <= BLOCK_BYTES) outer.write(secret)
  else outer.set(hash('sha256', secret, 'buffer'))
  for (let i = 0; i < outerWords.length; i++) {
    const word = outerWords[i] ?? 0
    innerWords[i] = word ^ 0x36363636
    outerWords[i] = word ^ 0x5c5c5c5c
  }
}
