import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { createVerifier, isKnownEvent, verifiedParts, WebhookError } from '../../src/index.ts'
import { languagesHere } from './languages.ts'
import { type Case, randomCases } from './random-cases.ts'

const seed = Number(process.env['POSTHORN_SEED'] ?? 59)
const count = Number(process.env['POSTHORN_CASES'] ?? 1_000)
const cases = randomCases(count, seed)
const here = languagesHere('the verdicts')

test('the random cases lead to every verdict', async () => {
  const verdicts = await Promise.all(cases.map(verdictOf))
  const endings = new Set(verdicts.map(verdict => verdict.split(' ').at(-1)))
  expect(codes.filter(code => !endings.has(code))).toEqual([])
})

describe.each(here)('$name', ({ name, folder, judge: [program, ...args] }) => {
  test('reaches the same verdict as this library in every random case', async () => {
    const input = cases.map(lineOf).join('')
    const { stdout, stderr } = spawnSync(program, args, {
      cwd: folder,
      input,
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
    })
    const theirs = stdout.trimEnd().split('\n')
    expect(theirs.length, stderr).toBe(cases.length)

    const ours = await Promise.all(cases.map(verdictOf))
    const different = cases.flatMap((one, at) =>
      theirs[at] === ours[at] ? [] : [`${lineOf(one)}  ours: ${ours[at]}, theirs: ${theirs[at]}`],
    )
    expect(different.slice(0, 5), `seed ${seed}`).toEqual([])
    console.log(`${name}: ${cases.length} random cases, the same verdict in all of them`)
  })
})

const codes = [
  'known',
  'unknown',
  'header_missing',
  'header_malformed',
  'header_ambiguous',
  'timestamp_missing',
  'timestamp_malformed',
  'signature_missing',
  'signature_mismatch',
  'timestamp_too_old',
  'timestamp_in_future',
  'payload_not_json',
  'payload_not_event',
  'secret_empty',
  'secret_whitespace',
  'secret_too_short',
  'secret_wrong_kind',
]

function lineOf({ secrets, toleranceSeconds, now, headers, body }: Case): string {
  const base64 = (text: string, encoding: BufferEncoding) => Buffer.from(text, encoding).toString('base64')
  return `${JSON.stringify({
    secrets: secrets.map(secret => base64(secret, 'utf8')),
    toleranceSeconds,
    now,
    headers: headers.map(line => base64(line, 'latin1')),
    body: body.toString('base64'),
  })}\n`
}

/** For example `1700000000 0 v1 v1,v1s known`, or what is wrong. */
async function verdictOf({ secrets, toleranceSeconds, now, headers, body }: Case): Promise<string> {
  const verdict: string[] = []
  try {
    const verifier = createVerifier({ secrets, toleranceSeconds, now: () => now * 1000 })
    const verified = await verifier.verify(body, headers)
    verdict.push(
      `${verified.timestamp}`,
      `${verified.secretIndex}`,
      verified.partName,
      verifiedParts(verified),
    )
    verdict.push(isKnownEvent(await verifier.constructEvent(body, headers)) ? 'known' : 'unknown')
  } catch (error) {
    if (!(error instanceof WebhookError)) throw error
    verdict.push(error.code)
  }
  return verdict.join(' ')
}
