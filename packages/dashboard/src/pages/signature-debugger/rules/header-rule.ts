import type { WebhookErrorCode } from '@posthorn/receiver'
import { signatureParts } from '@posthorn/receiver/debug'
import { headerFault } from './library-verdict.ts'
import type { Rule } from './rule.ts'

const promise = 'Header has one t and at least one signature'

/** Rule 1. Rule 2 checks that `t` is a number. */
export async function headerRule(header: string): Promise<Rule> {
  if (header === '') return { number: 1, state: 'unknown', words: promise }
  const withSomeTime = header.replace(/(^|,)([ \t]*)t=[^,]*/, '$1$2t=0')
  const fault = await headerFault(withSomeTime)
  if (fault !== null) return { number: 1, state: 'bad', words: wordsFor(fault, header) }
  const whole = signatureParts(header).filter(part => /^[\da-f]{64}$/i.test(part.value))
  return { number: 1, state: 'good', words: `${promise}: ${whole.map(part => part.partName).join(', ')}` }
}

function wordsFor(fault: WebhookErrorCode, header: string): string {
  const parts = signatureParts(header)
  const times = parts.filter(part => part.partName === 't')
  const signature = parts.find(part => part.partName !== 't')
  if (/[^\t -~]/.test(header)) {
    return 'Header has a character that is not ASCII. Did a log shorten it with “…”?'
  }
  if (header.length > 4096) return 'Header is longer than 4,096 characters.'
  if (times.length > 1) return 'Header has two t. A proxy may have joined two headers into one.'
  if (fault === 'signature_missing' && signature !== undefined) {
    return `${signature.partName} is not a signature: ${damage(signature.value)}`
  }
  if (times.length === 0 && !header.includes('=')) {
    return 'This is not the value of a signature header. It should look like t=1795230842,v1=7312…'
  }
  return times.length === 0
    ? 'Header has no t= part with the seconds since 1970.'
    : 'Header has no signature: no part is named v1, v1s or v1s2.'
}

/** What a malformed signature may be instead. */
function damage(value: string): string {
  const { length } = value
  if (length === 0) return 'nothing follows the =.'
  if (/^[0-9a-f]+$/i.test(value)) {
    if (length === 128) return '128 hexadecimal characters are SHA-512. We sign with SHA-256.'
    if (length === 40) return '40 hexadecimal characters are SHA-1. We sign with SHA-256.'
    return length < 64
      ? `it was cut off after ${length} of 64 characters.`
      : `it has ${length} characters, not 64.`
  }
  return /^[\w+/-]{43}=?$/.test(value)
    ? 'this is base64. We send 64 hexadecimal characters.'
    : 'a signature has 64 hexadecimal characters.'
}
