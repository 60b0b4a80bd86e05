import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * Binds a session to the operator token. The key is the session's token, and the database has only its hash, so an
 * attacker who reads the database cannot test guesses of the operator token.
 */
export function operatorProof(sessionToken: string, operatorToken: string): Uint8Array {
  return createHmac('sha256', sessionToken).update(operatorToken).digest()
}

/** Whether the session was opened with this operator token. */
export function isOperatorProof(proof: Uint8Array, sessionToken: string, operatorToken: string): boolean {
  const expected = operatorProof(sessionToken, operatorToken)
  return proof.length === expected.length && timingSafeEqual(proof, expected)
}
