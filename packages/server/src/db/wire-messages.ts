/** Types of messages that a client sends (PostgreSQL documentation, "Message Formats"). */
export const messageTypes = {
  sync: 0x53, // 'S'
  query: 0x51, // 'Q'
  terminate: 0x58, // 'X'
} as const

/** The type of the last of several whole messages. */
export function lastMessageType(chunk: Buffer): number | undefined {
  let type: number | undefined
  for (let offset = 0; offset + 5 <= chunk.length; offset += 1 + chunk.readInt32BE(offset + 1)) {
    type = chunk[offset]
  }
  return type
}

/** The message `Query`. */
export function simpleQuery(statement: string): Uint8Array<ArrayBuffer> {
  const text = new TextEncoder().encode(`${statement}\0`)
  const message = new Uint8Array(5 + text.length)
  message[0] = messageTypes.query
  new DataView(message.buffer).setInt32(1, 4 + text.length)
  message.set(text, 5)
  return message
}

/** Every answer ends with the message `ReadyForQuery`: `Z`, its length of 5, and the state of the transaction. */
export function endsInReadyForQuery(bytes: Uint8Array): boolean {
  return bytes.at(-6) === 0x5a && bytes.at(-2) === 5
}

const readyForQueryBytes = 6

/** The last bytes of an answer, from the last bytes before this piece. A piece may be shorter than a message. */
export function endOf(before: Uint8Array, piece: Uint8Array): Uint8Array {
  if (piece.length >= readyForQueryBytes) return piece.slice(-readyForQueryBytes)
  return Buffer.concat([before, piece]).subarray(-readyForQueryBytes)
}
