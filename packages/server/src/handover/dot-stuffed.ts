const dot = 0x2e
const end = Buffer.from('\r\n.\r\n')

/** Encodes a message for DATA: doubles a dot at the start of a line, and ends with a line that is a dot (RFC 5321 §4.5.2). */
export function dotStuffed(message: Buffer): Buffer {
  const pieces: Buffer[] = []
  let from = 0
  for (let at = 0; at >= 0; ) {
    if (message[at] === dot) {
      pieces.push(message.subarray(from, at + 1))
      from = at
    }
    const lineBreak = message.indexOf('\r\n', at)
    at = lineBreak < 0 ? -1 : lineBreak + 2
  }
  const last = message.subarray(from)
  const isEnded = message.length >= 2 && message.subarray(-2).equals(end.subarray(0, 2))
  return Buffer.concat([...pieces, last, isEnded ? end.subarray(2) : end])
}
