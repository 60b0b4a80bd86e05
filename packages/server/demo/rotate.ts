import type { Client } from '@posthorn/client'
import type { Endpoint } from './customer.ts'
import type { Receiver } from './receiver.ts'
import { step } from './screen.ts'
import type { Traffic } from './traffic.ts'
import { waitUntil } from './wait-until.ts'

/** Replaces the signing key of an endpoint while events keep coming, so that none is ever refused. */
export async function rotate(
  client: Client,
  endpoint: Endpoint,
  receiver: Receiver,
  traffic: Traffic,
): Promise<void> {
  const params = { id: endpoint.id }
  const staged = await client.stageSigningKey({ params })
  if (staged.secret === null) throw new Error('the staged secret was not shown')
  step(`staged a replacement ${staged.secret_prefix}…: deliveries now carry v1 and ${staged.signature_name}`)

  receiver.useSecrets({ 'second key': staged.secret, 'first key': endpoint.secret })
  step('the receiver now accepts both secrets')
  let verifiedCount = 0
  await waitUntil('the service knows that the receiver verifies with the staged key', async () => {
    const { data } = await client.listSigningKeys({ params })
    verifiedCount = data.find(key => key.key_id === staged.key_id)?.verified_count ?? 0
    return verifiedCount >= 3
  })
  step(`the service has seen the receiver verify with the staged key ${verifiedCount} times: safe to promote`)

  await client.promoteSigningKey({ params: { ...params, key_id: staged.key_id } })
  step('promoted: nothing new is signed with the old key any more')
  // what was signed before may still be on its way
  const before = [...traffic.accepted.keys()]
  await waitUntil('all that was reported before has arrived', () =>
    before.every(id => receiver.acknowledged.has(id)),
  )
  receiver.useSecrets({ 'second key': staged.secret })
  step('the receiver has dropped the old secret')
  const dropped = traffic.accepted.size
  await waitUntil(
    'more has arrived under the new secret alone',
    () => receiver.acknowledged.size >= dropped + 8,
  )
}
