import type { Client } from '@posthorn/client'
import type { SigningKey } from '@posthorn/contract'
import { CommandError } from './command-error.ts'
import { printWaiting, untilServed } from './follow-deliveries.ts'
import { pause } from './pause.ts'
import { progressBar } from './progress-bar.ts'

const pollMs = 1_000

/** Rare enough not to disturb the receiver, but often enough to notice a new configuration soon. */
const testEveryMs = 10_000

export interface ProofOptions {
  readonly stop: AbortSignal
  /** How many events the receiver must have verified with the key. */
  readonly proofs: number
  readonly sendTests: boolean
  readonly isQuiet: boolean
}

/** Waits until the receiver has verified events with a staged key. Null if stopped first. */
export async function waitForProof(
  client: Client,
  id: string,
  { key_id }: Pick<SigningKey, 'key_id'>,
  { stop, proofs, sendTests, isQuiet }: ProofOptions,
): Promise<SigningKey | null> {
  const bar = isQuiet ? null : progressBar(process.stderr, ' events verified with the new secret')
  const following = { stop, onWait: printWaiting }
  let testedAtMs = Number.NEGATIVE_INFINITY
  try {
    while (!stop.aborted) {
      const key = await untilServed(async () => await findKey(client, id, key_id, stop), following)
      if (key === null) return null
      if (key.state === 'retired') {
        throw new CommandError('signing_key_not_staged', `someone has discarded ${key_id} in the meantime`)
      }
      bar?.show(Math.min(key.verified_count, proofs), proofs)
      if (key.state === 'primary' || key.verified_count >= proofs) return key
      if (sendTests && performance.now() - testedAtMs >= testEveryMs) {
        testedAtMs = performance.now()
        const body = { type: 'email.delivered' } as const
        await untilServed(async () => await client.sendTestEvent({ params: { id }, body }), following)
      }
      await pause(pollMs, stop)
    }
    return null
  } finally {
    bar?.end()
  }
}

async function findKey(client: Client, id: string, keyId: string, signal: AbortSignal): Promise<SigningKey> {
  for await (const key of client.each('listSigningKeys', { params: { id } }, { signal })) {
    if (key.key_id === keyId) return key
  }
  throw new CommandError('not_found', `the endpoint no longer has the key ${keyId}`)
}
