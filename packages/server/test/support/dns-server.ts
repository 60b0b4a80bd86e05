import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'
import {
  addressBytes,
  answerMessage,
  inLabels,
  inStrings,
  readQuestion,
  record,
  recordTypes,
  truncated,
} from './dns-message.ts'

/** A name server on loopback that answers as the test says, so that no query leaves the machine. */
export interface DnsServer extends AsyncDisposable {
  /** `address:port`. */
  readonly address: string
  /** Replaces the TXT records of a name. */
  txt(name: string, ...texts: Array<string | Buffer>): void
  mx(name: string, ...records: Array<{ preference: number; host: string }>): void
  /** Replaces the addresses of a name, of both families. */
  addresses(name: string, ...addresses: string[]): void
  /** Answers the queries for IPv4 addresses with these lists in turn. */
  addressesInTurn(name: string, ...lists: string[][]): void
  /** Replaces the alias of a name; null removes it. */
  cname(name: string, target: string | null): void
  /** How often the IPv4 addresses of a name were queried. */
  asked(name: string): number
  /** Sets how queries for a name are mishandled. */
  misbehave(name: string, how: Misbehaviour | null): void
  /** Answers no UDP query for a name until the returned function is called. */
  hold(name: string): () => void
}

export type Misbehaviour = 'servfail' | 'garbage' | 'silence'

const servfail = 2
const nxdomain = 3
/** The limit of a datagram if the client allows no more (RFC 1035 §4.2.1). */
const datagramBytesMax = 512
const linksMax = 8

export async function startDnsServer(): Promise<DnsServer> {
  const records = new Map<string, Buffer[]>()
  const turns = new Map<string, Buffer[][]>()
  const aliases = new Map<string, string>()
  const behaviour = new Map<string, Misbehaviour>()
  const asked = new Map<string, number>()
  const held = new Map<string, Array<() => void>>()

  function reply(query: Buffer): Buffer | null {
    const question = readQuestion(query)
    const { name, type } = question
    const turn = asked.get(name) ?? 0
    if (type === recordTypes.A) asked.set(name, turn + 1)
    switch (behaviour.get(name)) {
      case 'silence':
        return null
      case 'garbage':
        return Buffer.concat([query.subarray(0, 2), Buffer.from('ffff00ff00ff', 'hex')])
      case 'servfail':
        return answerMessage(query, question, servfail, [])
      case undefined: {
        const found = answers(name, type, turn)
        return answerMessage(query, question, found === null ? nxdomain : 0, found ?? [])
      }
    }
  }

  /** Null if the name does not exist. */
  function answers(name: string, type: number, turn: number): Buffer[] | null {
    const links: Buffer[] = []
    let owner = name
    for (
      let target = aliases.get(owner);
      target !== undefined && links.length < linksMax;
      target = aliases.get(owner)
    ) {
      links.push(record(owner, recordTypes.CNAME, inLabels(target)))
      owner = target
    }
    const lists = type === recordTypes.A ? turns.get(owner) : undefined
    const found = lists?.[turn % lists.length] ?? records.get(`${type} ${owner}`)
    const isKnown =
      found !== undefined || Object.values(recordTypes).some(one => records.has(`${one} ${owner}`))
    return isKnown || links.length > 0 ? [...links, ...(found ?? [])] : null
  }

  const publish = (type: number, name: string, data: Buffer[]): void =>
    void records.set(
      `${type} ${name}`,
      data.map(one => record(name, type, one)),
    )
  const ipv4Records = (name: string, list: readonly string[]): Buffer[] =>
    list.map(address => record(name, recordTypes.A, addressBytes(address)))

  const listener = createServer(socket => {
    socket.on('error', () => {})
    socket.once('data', message => {
      const answer = reply(Buffer.from(message).subarray(2))
      if (answer === null) return
      socket.end(Buffer.concat([Buffer.from([answer.length >> 8, answer.length & 255]), answer]))
    })
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const bound = listener.address()
  const port = typeof bound === 'object' ? (bound?.port ?? 0) : 0
  const socket = createSocket('udp4')
  socket.on('message', (query, from) => {
    const answer = reply(query)
    if (answer === null) return
    const isWhole = answer.length <= datagramBytesMax
    const sent = isWhole ? answer : answerMessage(query, readQuestion(query), truncated, [])
    const send = (): void => socket.send(sent, from.port, from.address)
    const waiting = held.get(readQuestion(query).name)
    if (waiting === undefined) send()
    else waiting.push(send)
  })
  socket.bind(port, '127.0.0.1')
  await once(socket, 'listening')

  return {
    address: `127.0.0.1:${port}`,
    txt: (name, ...texts) => publish(recordTypes.TXT, name, texts.map(inStrings)),
    mx: (name, ...hosts) =>
      publish(
        recordTypes.MX,
        name,
        hosts.map(({ preference, host }) => Buffer.concat([Buffer.from([0, preference]), inLabels(host)])),
      ),
    addresses: (name, ...all) => {
      turns.delete(name)
      const [v6, v4] = [all.filter(one => one.includes(':')), all.filter(one => !one.includes(':'))]
      publish(recordTypes.A, name, v4.map(addressBytes))
      publish(recordTypes.AAAA, name, v6.map(addressBytes))
    },
    addressesInTurn: (name, ...lists) => {
      publish(recordTypes.A, name, [])
      turns.set(
        name,
        lists.map(list => ipv4Records(name, list)),
      )
    },
    cname: (name, target) => void (target === null ? aliases.delete(name) : aliases.set(name, target)),
    asked: name => asked.get(name) ?? 0,
    misbehave: (name, how) => void (how === null ? behaviour.delete(name) : behaviour.set(name, how)),
    hold: name => {
      const waiting: Array<() => void> = []
      held.set(name, waiting)
      return () => {
        held.delete(name)
        for (const send of waiting) send()
      }
    },
    [Symbol.asyncDispose]: async () => {
      socket.close()
      listener.close()
      await Promise.all([once(socket, 'close'), once(listener, 'close')])
    },
  }
}
