import { createHmac } from 'node:crypto'
import { BODY, NOW, OTHER_SECRET, SECRET } from '../signed.ts'

/** A request and the configuration that judges it. */
export interface Case {
  readonly secrets: readonly string[]
  readonly toleranceSeconds: number
  readonly now: number
  /** The lines of the signature header, one character per byte. */
  readonly headers: readonly string[]
  readonly body: Buffer
}

/** Random cases that are mostly almost right. The same seed gives the same cases. */
export function randomCases(count: number, seed: number): Case[] {
  const random = randomFrom(seed)
  return Array.from({ length: count }, () => randomCase(random))
}

type Random = ReturnType<typeof randomFrom>

function randomFrom(seed: number) {
  let state = seed >>> 0
  // mulberry32
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number): number => Math.floor(next() * limit)
  return {
    below,
    chance: (share: number): boolean => next() < share,
    pick: <T>(list: readonly [T, ...T[]]): T => list[below(list.length)] ?? list[0],
  }
}

const keys = [SECRET, OTHER_SECRET, `whsec_${'aB3/'.repeat(10)}`, `whsec_${'k'.repeat(70)}`] as const
const oddSecrets = [
  '',
  'whsec_',
  'whsec_short',
  'whsec_test_0123456',
  `${SECRET}\n`,
  ` ${SECRET}`,
  `${SECRET}\u00a0`,
  `\ufeff${SECRET}`,
  `"${SECRET}"`,
  `phk_${'0'.repeat(36)}`,
  `x${SECRET}`,
  'a'.repeat(44),
  'ü'.repeat(30),
  '😀'.repeat(22),
  `${SECRET}\0`,
] as const

const envelopes = [
  BODY,
  '{"id":"evt_1","type":"email.opened","data":{}}',
  '{"id":"evt_1","type":"email.failed","data":{"a":[1,-0,1e999,1.5e-9,12345678901234567890]}}',
  `\ufeff${BODY}`,
  ` \t\r\n${BODY}\n`,
  '{"id":"evt_1","type":"email.bounced","data":[]}',
  '{"id":"evt_1","type":"email.bounced","data":["a"]}',
  '{"id":"evt_1","type":"email.bounced","data":null}',
  '{"id":"evt_1","type":"email.bounced","data":{"0":1,"1":2}}',
  '{"id":"evt_1","type":"email.bounced","data":{"cut":"\\ud83d","text":"\\\\ud83d","whole":"\\ud83d\\ude00"}}',
  '{"id":"evt_1\\udc00","type":"email.bounced"}',
  '{"id":"evt_0","id":"evt_1","type":"constructor","__proto__":1}',
  `{"id":"${'é'.repeat(255)}","type":"${'😀'.repeat(127)}"}`,
  `{"id":"${'é'.repeat(256)}","type":"t"}`,
  `{"id":"evt_1","type":"${'😀'.repeat(128)}"}`,
  '{"id":"","type":"t"}',
  '{"id":1,"type":"t"}',
  '{"id":"evt_1","type":TRUE}',
  '{"id":"evt_1","type":"t",}',
  '[]',
  'null',
  '"evt_1"',
  '{}',
  '',
] as const
const scraps = [
  '',
  't',
  't=',
  'v1',
  'v1=',
  'x=1',
  'v1=xyz',
  '__proto__=1',
  ' ',
  '\t',
  'T=1',
  'v1 =1',
  'é',
  '\0',
  '\n',
  't= 1',
] as const

function randomCase(random: Random): Case {
  const secrets = Array.from({ length: 1 + random.below(3) }, () =>
    random.chance(0.05) ? random.pick(oddSecrets) : random.pick(keys),
  )
  const toleranceSeconds = random.pick([300, 300, 300, 1, 0])
  const signedBody = randomBody(random)
  const time = randomTime(random, toleranceSeconds)
  const parts = Array.from({ length: 1 + random.below(3) }, () => randomSignature(random, time, signedBody))
  if (!random.chance(0.03)) parts.splice(random.below(parts.length + 1), 0, `t=${time}`)
  while (random.chance(0.25)) parts.splice(random.below(parts.length + 1), 0, random.pick(scraps))
  const line = parts.join(random.pick([',', ',', ', ', ' ,\t', ';']))
  return {
    secrets,
    toleranceSeconds,
    now: NOW,
    headers: randomLines(random, line),
    body: random.chance(0.05) ? changed(random, signedBody) : signedBody,
  }
}

function randomBody(random: Random): Buffer {
  const body = Buffer.from(random.pick(envelopes))
  if (random.chance(0.1))
    return Buffer.from(Array.from({ length: random.below(300) }, () => random.below(256)))
  return random.chance(0.25) ? changed(random, body) : body
}

/** Replaces, inserts or removes one byte. */
function changed(random: Random, body: Buffer): Buffer {
  const at = random.below(body.length + 1)
  const byte = random.chance(0.5)
    ? [random.below(256)]
    : [...Buffer.from(random.pick(['"', '\\', '{', ',', ' ', '\0']))]
  return Buffer.concat([
    body.subarray(0, at),
    Buffer.from(random.chance(0.3) ? [] : byte),
    body.subarray(at + random.below(2)),
  ])
}

function randomTime(random: Random, toleranceSeconds: number): string {
  const edge = random.pick([0, 0, 0, toleranceSeconds, toleranceSeconds + 1, 86_400]) * random.pick([1, -1])
  const plain = String(NOW + edge)
  return random.chance(0.9)
    ? plain
    : random.pick([
        '',
        `0${plain}`,
        `+${plain}`,
        `-${plain}`,
        `${plain}000`,
        `${plain}.0`,
        `000000${plain}`,
        '1e9',
        'now',
      ])
}

function randomSignature(random: Random, time: string, body: Buffer): string {
  const hmac = createHmac(random.chance(0.97) ? 'sha256' : 'sha512', random.pick(keys)).update(`${time}.`)
  const hex = hmac.update(body).digest('hex')
  const value = random.chance(0.85)
    ? hex
    : random.pick([
        hex.toUpperCase(),
        hex.slice(1),
        `${hex}0`,
        `0x${hex.slice(2)}`,
        ` ${hex}`,
        `g${hex.slice(1)}`,
      ])
  const odd = ['v1s02', 'v1s999', 'v1sx', 'v2', 'V1', 'v10', 'v1s-1', 'v1\u00b2'] as const
  return `${random.chance(0.9) ? random.pick(['v1', 'v1', 'v1s', 'v1s2']) : random.pick(odd)}=${value}`
}

function randomLines(random: Random, line: string): string[] {
  if (random.chance(0.04)) return random.pick([[], [''], [' \t'], [line, line]])
  return [random.chance(0.02) ? line.padEnd(4096 + random.below(2), ',') : line]
}
