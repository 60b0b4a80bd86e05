const dot = 0x2e
const end = Buffer.from('\r\n.\r\n')

/** A message as it follows DATA: a dot at the start of a line is doubled, and a dot alone ends it. */
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
  const rest = message.subarray(from)
  const isEnded = message.length >= 2 && message.subarray(-2).equals(end.subarray(0, 2))
  return Buffer.concat([...pieces, rest, isEnded ? end.subarray(2) : end])
}
