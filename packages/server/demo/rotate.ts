import type { Client } from '@posthorn/client'
import type { Endpoint } from './customer.ts'
import type { Receiver } from './receiver.ts'
import { step } from './screen.ts'
import type { Traffic } from './traffic.ts'
import { waitUntil } from './wait-until.ts'

/** Replaces the signing key of an endpoint under traffic, without a rejected event. */
export async function rotate(
  client: Client,
  endpoint: Endpoint,
  receiver: Receiver,
  traffic: Traffic,
): Promise<void> {
  const params = { id: endpoint.id }
  const staged = await client.stageSigningKey({ params })
  if (staged.secret === null) throw new Error('the staged secret was not shown')
  step(
    `staged a new key ${staged.secret_prefix}…: deliveries now have the signatures v1 and ${staged.signature_name}`,
  )

  receiver.useSecrets({ 'second key': staged.secret, 'first key': endpoint.secret })
  step('the receiver now accepts both secrets')
  let verifiedCount = 0
  await waitUntil('the receiver has proved that it verifies with the staged key', async () => {
    const { data } = await client.listSigningKeys({ params })
    verifiedCount = data.find(key => key.key_id === staged.key_id)?.verified_count ?? 0
    return verifiedCount >= 3
  })
  step(`the receiver verified ${verifiedCount} events with the staged key: it is safe to promote`)

  await client.promoteSigningKey({ params: { ...params, key_id: staged.key_id } })
  step('promoted: new deliveries are signed with the new key only')
  // deliveries that were signed with the old key may still be in flight
  const before = [...traffic.accepted.keys()]
  await waitUntil('all events from before the promotion have arrived', () =>
    before.every(id => receiver.acknowledged.has(id)),
  )
  receiver.useSecrets({ 'second key': staged.secret })
  step('the receiver now accepts only the new secret')
  const countBefore = traffic.accepted.size
  await waitUntil(
    'more events have arrived with the new secret',
    () => receiver.acknowledged.size >= countBefore + 8,
  )
}
