import { createSocket } from 'node:dgram'
import { once } from 'node:events'

/** A name server on loopback that knows what a test tells it, so that no question leaves the machine. */
export interface DnsServer extends AsyncDisposable {
  /** `address:port`. */
  readonly address: string
  /** Publishes TXT records at a name, in the place of what was there. */
  txt(name: string, ...texts: Array<string | Buffer>): void
  mx(name: string, ...records: Array<{ preference: number; host: string }>): void
  /** What happens to questions about a name from now on. */
  misbehave(name: string, how: 'servfail' | 'garbage' | null): void
}

const types = { MX: 15, TXT: 16 } as const
const servfail = 2
const nxdomain = 3

export async function startDnsServer(): Promise<DnsServer> {
  const records = new Map<string, Buffer[]>()
  const behaviour = new Map<string, 'servfail' | 'garbage'>()
  const socket = createSocket('udp4')
  socket.on('message', (query, from) => {
    const { name, type, end } = readQuestion(query)
    const how = behaviour.get(name)
    const answers = records.get(`${type} ${name}`) ?? []
    const isKnown = Object.values(types).some(one => records.has(`${one} ${name}`))
    const code = how === 'servfail' ? servfail : isKnown ? 0 : nxdomain
    const answer =
      how === 'garbage'
        ? Buffer.concat([query.subarray(0, 2), Buffer.from('ffff00ff00ff', 'hex')])
        : Buffer.concat([
            query.subarray(0, 2),
            Buffer.from([0x81, 0x80 | code, 0, 1, 0, how === undefined ? answers.length : 0, 0, 0, 0, 0]),
            query.subarray(12, end),
            ...(how === undefined ? answers : []),
          ])
    socket.send(answer, from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const publish = (type: number, name: string, data: Buffer[]): void =>
    void records.set(
      `${type} ${name}`,
      data.map(one => {
        // points back to the name in the question; a minute to live
        const head = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, one.length >> 8, one.length & 255])
        return Buffer.concat([head, one])
      }),
    )
  return {
    address: `127.0.0.1:${socket.address().port}`,
    txt: (name, ...texts) => publish(types.TXT, name, texts.map(inStrings)),
    mx: (name, ...hosts) =>
      publish(
        types.MX,
        name,
        hosts.map(({ preference, host }) => Buffer.concat([Buffer.from([0, preference]), inLabels(host)])),
      ),
    misbehave: (name, how) => void (how === null ? behaviour.delete(name) : behaviour.set(name, how)),
    [Symbol.asyncDispose]: async () => {
      socket.close()
      await once(socket, 'close')
    },
  }
}

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 }
}

/** A TXT record is made of strings of at most 255 bytes. */
function inStrings(text: string | Buffer): Buffer {
  const bytes = Buffer.from(text)
  const parts: Buffer[] = []
  for (let at = 0; at < Math.max(1, bytes.length); at += 255) {
    const part = bytes.subarray(at, at + 255)
    parts.push(Buffer.from([part.length]), part)
  }
  return Buffer.concat(parts)
}

function inLabels(host: string): Buffer {
  const labels = host.split('.').map(label => Buffer.from([label.length, ...Buffer.from(label)]))
  return Buffer.concat([...labels, Buffer.from([0])])
}
