import { createHmac, hash } from 'node:crypto'

const BLOCK_BYTES = 64
// Above this size, hashing costs more than creating the HMAC object.
const SMALL_BYTES = 8192

/**
 * Computes HMAC-SHA256 of `t`, a dot and the body with each secret, as lower-case hex, synchronously.
 *
 * For small bodies, `createHmac` spends most of its time on creating its object. HMAC needs only two plain hashes
 * (RFC 2104). The inner one covers the key block, mixed with one constant, and the message. The outer one covers the key
 * block, mixed with another constant, and the inner hash.
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

// Reused by every call, because allocating this much is slow. Calls are synchronous, so they cannot overlap.
const inner = Buffer.alloc(BLOCK_BYTES + 16 + SMALL_BYTES)
const outer = Buffer.alloc(BLOCK_BYTES + 32)
// The key blocks as words of four bytes. `Buffer.alloc` does not share its memory with other buffers.
const innerWords = new Int32Array(inner.buffer, 0, BLOCK_BYTES / 4)
const outerWords = new Int32Array(outer.buffer, 0, BLOCK_BYTES / 4)

/** Writes the key block before both messages. A key that is longer than the block is replaced by its hash. */
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
