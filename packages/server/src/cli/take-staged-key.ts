import type { Client } from '@posthorn/client'
import type { SigningKey } from '@posthorn/contract'
import { CommandError } from './command-error.ts'

/** The key that a rotation promotes; with its secret if it was staged just now. */
export interface StagedKey extends SigningKey {
  readonly secret?: string | null
  readonly isFresh: boolean
}

/** Gets the staged key of an endpoint, or stages one. With `discards`, it retires the staged keys first. */
export async function takeStagedKey(client: Client, id: string, discards: boolean): Promise<StagedKey> {
  const staged: SigningKey[] = []
  for await (const key of client.each('listSigningKeys', { params: { id } })) {
    if (key.state === 'staged') staged.push(key)
  }
  if (discards) {
    for (const { key_id } of staged) await client.retireSigningKey({ params: { id, key_id } })
  } else if (staged.length > 1) {
    throw new CommandError(
      'several_staged_keys',
      `${staged.length} secrets are staged (${staged.map(({ key_id }) => key_id).join(', ')}): retire all but one in the dashboard, or add --discard to start again`,
    )
  } else if (staged[0] !== undefined) {
    return { ...staged[0], isFresh: false }
  }
  return { ...(await client.stageSigningKey({ params: { id } })), isFresh: true }
}
