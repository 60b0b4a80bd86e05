import { createHmac } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { createVerifier } from '@posthorn/receiver'
import { Webhook } from 'standardwebhooks'
import { openStripe } from './stripe.ts'

/** Unusual input, signed with the real key if it is signed, and the result of each library. */
interface Row {
  readonly input: string
  readonly right: 'accept' | 'refuse'
  readonly ours: () => unknown
  readonly stripe?: () => unknown
  readonly standard?: () => unknown
}

const SECRET = 'whsec_test_0123456789abcdef0123456789abcdef'
const BODY = '{"id":"evt_1","type":"email.delivered"}'
const now = Math.floor(Date.now() / 1000)
const mac = (t: string | number, body: string | Uint8Array = BODY, secret = SECRET) =>
  createHmac('sha256', secret).update(`${t}.`).update(body).digest('hex')
const good = mac(now)

const stripe = openStripe()
const key = Buffer.from(SECRET).toString('base64')
const standardMac = (t: string | number, body: string | Uint8Array) =>
  `v1,${createHmac('sha256', SECRET).update(`evt_1.${t}.`).update(body).digest('base64')}`

const byOurs =
  (header: unknown, body: unknown = BODY, secret: unknown = SECRET) =>
  () =>
    createVerifier({ secrets: secret as string }).verify(body as string, header as string)
const byStripe =
  (header: unknown, body: unknown = BODY, secret: unknown = SECRET) =>
  () =>
    stripe.webhooks.signature?.verifyHeader(body as string, header as string, secret as string, 300)
const byStandard =
  (t: string | number, body: unknown = BODY, signature?: unknown, secret: unknown = key) =>
  () =>
    new Webhook(secret as string).verify(body as string, {
      'webhook-id': 'evt_1',
      'webhook-timestamp': String(t),
      'webhook-signature': (signature ?? standardMac(t, body as string)) as string,
    })

/** The same header for Posthorn and Stripe, because both use the same format. */
const both = (header: unknown, body?: unknown, secret?: unknown) => ({
  ours: byOurs(header, body, secret),
  stripe: byStripe(header, body, secret),
})
const BOM = Buffer.from(`\uFEFF${BODY}`)
const [ff, fe] = [Buffer.from([0x22, 0xff, 0x22]), Buffer.from([0x22, 0xfe, 0x22])]
const many = `t=${now},${`v1=${'0'.repeat(64)},`.repeat(100_000)}v1=${good}`

const rows: Row[] = [
  { input: 'a good request', right: 'accept', ...both(`t=${now},v1=${good}`), standard: byStandard(now) },
  {
    input: 'an empty secret, and a signature made with it',
    right: 'refuse',
    ...both(`t=${now},v1=${mac(now, BODY, '')}`, BODY, ''),
    standard: byStandard(now, BODY, undefined, ''),
  },
  {
    input: 'the secret `whsec_` alone',
    right: 'refuse',
    ...both(`t=${now},v1=${mac(now, BODY, 'whsec_')}`, BODY, 'whsec_'),
    standard: byStandard(now, BODY, undefined, 'whsec_'),
  },
  {
    input: '`t` one day ahead',
    right: 'refuse',
    ...both(`t=${now + 86_400},v1=${mac(now + 86_400)}`),
    standard: byStandard(now + 86_400),
  },
  {
    input: '`t` with letters behind it',
    right: 'refuse',
    ours: byOurs(`t=${now}abc,v1=${mac(`${now}abc`)}`),
    stripe: byStripe(`t=${now}abc,v1=${good}`),
    standard: byStandard(`${now}abc`, BODY, standardMac(now, BODY)),
  },
  {
    input: '`t=foo`, signed as NaN',
    right: 'refuse',
    ...both(`t=foo,v1=${mac('NaN')}`),
    standard: byStandard('foo', BODY, standardMac('NaN', BODY)),
  },
  { input: '`t` twice', right: 'refuse', ...both(`t=1,t=${now},v1=${good}`) },
  {
    input: '`v1` without a value, then a good one',
    right: 'accept',
    ...both(`t=${now},v1,v1=${good}`),
    standard: byStandard(now, BODY, `v1 ${standardMac(now, BODY)}`),
  },
  { input: 'a space after the comma', right: 'accept', ...both(`t=${now}, v1=${good}`) },
  { input: 'upper-case hexadecimal', right: 'accept', ...both(`t=${now},v1=${good.toUpperCase()}`) },
  {
    input: '64 letters that are not ASCII',
    right: 'refuse',
    ...both(`t=${now},v1=${'é'.repeat(64)}`),
    standard: byStandard(now, BODY, `v1,${'é'.repeat(44)}`),
  },
  {
    input: 'a body in a `Uint8Array`',
    right: 'accept',
    ...both(`t=${now},v1=${good}`, new TextEncoder().encode(BODY)),
    standard: byStandard(now, new TextEncoder().encode(BODY)),
  },
  {
    input: 'a body with a byte order mark',
    right: 'accept',
    ...both(`t=${now},v1=${mac(now, BOM)}`, BOM),
    standard: byStandard(now, BOM),
  },
  {
    input: 'a body that is not UTF-8',
    right: 'accept',
    ...both(`t=${now},v1=${mac(now, ff)}`, ff),
    standard: byStandard(now, ff),
  },
  {
    input: 'byte FE under a signature of the text that FF decodes to',
    right: 'refuse',
    ...both(`t=${now},v1=${mac(now, ff.toString())}`, fe),
    standard: byStandard(now, fe, standardMac(now, ff.toString())),
  },
  {
    input: 'the header as a list of one',
    right: 'accept',
    ...both([`t=${now},v1=${good}`]),
    standard: byStandard(now, BODY, [standardMac(now, BODY)]),
  },
  {
    input: 'the header as a list of two',
    right: 'refuse',
    ...both([`t=${now},v1=${good}`, 'x']),
    standard: byStandard(now, BODY, [standardMac(now, BODY), 'x']),
  },
  {
    input: '100,000 signatures',
    right: 'refuse',
    ...both(many),
    standard: byStandard(now, BODY, `${'v1,AAAA '.repeat(100_000)}${standardMac(now, BODY)}`),
  },
]

const OWN_ERRORS = /^(Webhook(Verification|Usage|Payload)Error|StripeSignatureVerificationError)$/

/** The result of one library: its verdict, an error of another class, and the time if it was long. */
async function verdict(run: (() => unknown) | undefined, right: Row['right']): Promise<string> {
  if (run === undefined) return 'n/a'
  const startedAt = performance.now()
  const outcome = await Promise.resolve()
    .then(run)
    .then(
      () => ({ did: 'accept', note: '' }),
      (error: Error & { code?: string; type?: string }) => {
        const name = error.type ?? (error.name === 'Error' ? error.constructor.name : error.name)
        return { did: 'refuse', note: OWN_ERRORS.test(name) ? ` ${error.code ?? ''}` : ` (${name})` }
      },
    )
  const elapsedMs = Math.round(performance.now() - startedAt)
  const wrong = outcome.did === right ? '' : ' **wrong**'
  return `${outcome.did}s${outcome.note.trimEnd()}${wrong}${elapsedMs >= 50 ? `, ${elapsedMs} ms` : ''}`
}

const lines = [
  '| input | right | @posthorn/receiver | stripe 23.1.0 | standardwebhooks 1.1.1 |',
  '|---|---|---|---|---|',
]
let ourWrong = 0
for (const row of rows) {
  const ours = await verdict(row.ours, row.right)
  if (ours.includes('wrong')) ourWrong += 1
  lines.push(
    `| ${row.input} | ${row.right} | ${ours} | ${await verdict(row.stripe, row.right)} | ${await verdict(row.standard, row.right)} |`,
  )
}
const table = `${lines.join('\n')}\n`
if (process.argv.includes('--write')) writeFileSync(new URL('comparison.md', import.meta.url), table)
console.log(table)
if (ourWrong > 0) process.exitCode = 1
