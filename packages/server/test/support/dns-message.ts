import { parseIp } from '../../src/domain/ip-address.ts'

/** The record types of the test's name server (RFC 1035, RFC 3596). */
export const recordTypes = { A: 1, CNAME: 5, MX: 15, TXT: 16, AAAA: 28 } as const

export interface Question {
  name: string
  type: number
  /** The end of the question in its message. */
  end: number
}

export function readQuestion(query: Buffer): Question {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 }
}

/** @param flags such as 3 for NXDOMAIN, or `truncated` */
export function answerMessage(
  query: Buffer,
  { end }: Question,
  flags: number,
  records: readonly Buffer[],
): Buffer {
  const head = Buffer.alloc(10)
  head.writeUInt16BE(0x8180 | flags, 0)
  head.writeUInt16BE(1, 2)
  head.writeUInt16BE(records.length, 4)
  return Buffer.concat([query.subarray(0, 2), head, query.subarray(12, end), ...records])
}

/** The answer does not fit into a datagram, so the client must ask again over TCP. */
export const truncated = 0x0200

/** A record with a TTL of one minute. */
export function record(owner: string, type: number, data: Buffer): Buffer {
  const head = Buffer.alloc(10)
  head.writeUInt16BE(type, 0)
  head.writeUInt16BE(1, 2)
  head.writeUInt32BE(60, 4)
  head.writeUInt16BE(data.length, 8)
  return Buffer.concat([inLabels(owner), head, data])
}

export function inLabels(host: string): Buffer {
  const labels = host.split('.').map(label => Buffer.from([label.length, ...Buffer.from(label)]))
  return Buffer.concat([...labels, Buffer.from([0])])
}

/** Splits text into the strings of a TXT record, which have at most 255 bytes. */
export function inStrings(text: string | Buffer): Buffer {
  const bytes = Buffer.from(text)
  const parts: Buffer[] = []
  for (let at = 0; at < Math.max(1, bytes.length); at += 255) {
    const part = bytes.subarray(at, at + 255)
    parts.push(Buffer.from([part.length]), part)
  }
  return Buffer.concat(parts)
}

export function addressBytes(text: string): Buffer {
  const address = parseIp(text)
  if (address === null) throw new Error(`${text} is not an address`)
  return Buffer.from(address.value.toString(16).padStart(address.family === 4 ? 8 : 32, '0'), 'hex')
}
