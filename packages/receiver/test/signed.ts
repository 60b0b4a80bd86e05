import { createHmac } from 'node:crypto'

export const SECRET = 'whsec_test_0123456789abcdef0123456789abcdef'
export const OTHER_SECRET = 'whsec_test_fedcba9876543210fedcba9876543210'
export const NOW = 1_700_000_000
export const BODY = '{"id":"evt_1","type":"email.delivered"}'

/** A header created with node:crypto, so that the test does not rely on the library. */
export function signed(body: string | Uint8Array = BODY, t: string | number = NOW, secret = SECRET): string {
  return `t=${t},v1=${createHmac('sha256', secret).update(`${t}.`).update(body).digest('hex')}`
}

/** The options of a verifier with a fixed clock. */
export function at(seconds = NOW): { secrets: string; now: () => number } {
  return { secrets: SECRET, now: () => seconds * 1000 }
}
