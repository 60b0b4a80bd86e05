import { createSocket } from 'node:dgram'
import { once } from 'node:events'

/** The address of the mail exchanger of each domain; `null` for a domain that accepts no mail (RFC 7505). */
export type MailDomains = Readonly<Record<string, string | null>>

const recordType = { a: 1, mx: 15 }
const noSuchName = 3

/**
 * Starts a name server for these domains on port 53 of a loopback address. Each domain has one mail exchanger,
 * `mx.<domain>`. All other names do not exist.
 */
export async function openNameServer(address: string, domains: MailDomains): Promise<AsyncDisposable> {
  const socket = createSocket('udp4')
  socket.on('message', (query, from) => socket.send(answer(query, domains), from.port, from.address))
  socket.bind(53, address)
  await once(socket, 'listening')
  return {
    [Symbol.asyncDispose]: async () => {
      socket.close()
      await once(socket, 'close')
    },
  }
}

/** An answer (RFC 1035 §4.1): the question, and the record if it exists. */
function answer(query: Buffer, domains: MailDomains): Buffer {
  const question = readQuestion(query)
  const domain = question.name.replace(/^mx\./, '')
  const known = domain in domains
  const data = known ? recordData(question, domain, domains[domain] ?? null) : null
  const header = Buffer.alloc(12)
  header.writeUInt16BE(query.readUInt16BE(0), 0)
  header.writeUInt16BE(0x8580 | (known ? 0 : noSuchName), 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(data === null ? 0 : 1, 6)
  return Buffer.concat([header, question.bytes, ...(data === null ? [] : [record(question.type, data)])])
}

interface Question {
  name: string
  type: number
  bytes: Buffer
}

function readQuestion(query: Buffer): Question {
  const labels: string[] = []
  let at = 12
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  const type = query.readUInt16BE(at + 1)
  return { name: labels.join('.').toLowerCase(), type, bytes: query.subarray(12, at + 5) }
}

function recordData({ name, type }: Question, domain: string, exchanger: string | null): Buffer | null {
  if (type === recordType.mx && name === domain) {
    const preference = Buffer.from([0, exchanger === null ? 0 : 10])
    return Buffer.concat([preference, exchanger === null ? Buffer.from([0]) : encodeName(`mx.${domain}`)])
  }
  if (type === recordType.a && name !== domain && exchanger !== null) {
    return Buffer.from(exchanger.split('.').map(Number))
  }
  return null
}

function record(type: number, data: Buffer): Buffer {
  const head = Buffer.alloc(12)
  // a pointer to the name in the question, at byte 12 of the answer
  head.writeUInt16BE(0xc00c, 0)
  head.writeUInt16BE(type, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt32BE(60, 6)
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}

function encodeName(name: string): Buffer {
  const labels = name.split('.').map(label => Buffer.from([label.length, ...Buffer.from(label)]))
  return Buffer.concat([...labels, Buffer.from([0])])
}
