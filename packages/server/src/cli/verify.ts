import { readFileSync } from 'node:fs'
import { createVerifier, type Verified, WebhookError } from '@posthorn/receiver'
import { readHeaderNames } from '../config.ts'
import type { Command, Report } from './command.ts'
import { CommandError, UsageError } from './command-error.ts'
import type { CommandInput } from './command-input.ts'
import { findAlteration } from './find-alteration.ts'
import { verificationRule } from './verification-rule.ts'

export const verify: Command = {
  name: 'verify',
  summary: 'Verify the signature of a delivery, and explain failures',
  about: [
    'Verifies a delivery as a receiver does, from the signature header, the exact bytes of the body, and the',
    "endpoint's secret. Works without the service. Exits with 1 if the delivery does not verify.",
  ].join('\n'),
  options: {
    header: { value: 'text', meaning: 'The value of the header (X-Service-Signature by default): t=…,v1=…' },
    body: { value: 'file', meaning: 'A file with the unchanged body; - reads standard input.' },
    secret: { value: 'whsec_…', meaning: "The endpoint's secret.", multiple: true },
    'secret-file': { value: 'file', meaning: 'A file with one secret per line.', multiple: true },
    tolerance: {
      value: 'seconds',
      meaning: 'How much t may differ from the current time (default 300; 0 turns the check off).',
    },
  },
  examples: [
    "posthorn verify --header 't=1767225600,v1=…' --body body.json --secret-file secret.txt",
    'posthorn verify --header "$HEADER" --body - --secret whsec_… --tolerance 0 < body.json',
  ],
  async run(input) {
    const header = withoutName(input.required('header'))
    const toleranceSeconds = readTolerance(input.text('tolerance'))
    const secrets = readSecrets(input)
    const body = readBody(input.required('body'))
    try {
      const headerName = readHeaderNames().signature
      const verifier = createVerifier({ secrets, toleranceSeconds, headerName })
      return passed(await verifier.verify(body, header), secrets.length)
    } catch (error) {
      if (!(error instanceof WebhookError)) throw error
      const alteration =
        error.code === 'signature_mismatch' ? await findAlteration(body, header, secrets) : null
      return failed(error, alteration)
    }
  },
}

function passed(verified: Verified, secretCount: number): Report {
  const { timestamp, partName, secretIndex } = verified
  const signedAt = new Date(timestamp * 1_000)
  const secret = secretCount === 1 ? 'the secret' : `secret ${secretIndex + 1} of ${secretCount}`
  const at = Number.isNaN(signedAt.getTime()) ? `t=${timestamp}` : signedAt.toISOString()
  return {
    exitCode: 0,
    json: { ok: true, ...verified },
    text: `Verified: ${partName} matches ${secret}, signed at ${at}.`,
  }
}

function failed(error: WebhookError, alteration: string | null): Report {
  const rule = verificationRule(error.code, readHeaderNames().signature)
  const hint = alteration ?? error.hint ?? null
  return {
    exitCode: 1,
    json: { ok: false, code: error.code, message: error.message, rule, hint },
    text: [
      `Not verified: ${error.message} (${error.code}).`,
      `  Rule: ${rule}`,
      ...(hint === null ? [] : [`  Hint: ${hint}`]),
    ].join('\n'),
  }
}

/** Removes the header name, because people copy the whole line from a log. */
function withoutName(header: string): string {
  const { signature } = readHeaderNames()
  return header.replace(new RegExp(String.raw`^\s*(x-service-signature|${signature})\s*:\s*`, 'i'), '').trim()
}

function readTolerance(text: string | undefined): number | undefined {
  if (text === undefined || /^\d{1,9}$/.test(text)) return text === undefined ? undefined : Number(text)
  throw new UsageError(`--tolerance must be a whole number of seconds, not "${text}"`)
}

function readSecrets(input: CommandInput): string[] {
  const files = input.all('secret-file').flatMap(path =>
    readFile(path)
      .toString()
      .split(/\r?\n/)
      .filter(line => line.trim() !== ''),
  )
  const secrets = [...input.all('secret'), ...files]
  if (secrets.length > 0 || input.all('secret-file').length > 0) return secrets
  throw new UsageError('add --secret or --secret-file')
}

function readBody(path: string): Buffer {
  return readFile(path === '-' ? 0 : path)
}

function readFile(path: string | number): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const name = path === 0 ? 'standard input' : path
    throw new CommandError('file_unreadable', `cannot read ${name}: ${reason}`, { cause: error })
  }
}
