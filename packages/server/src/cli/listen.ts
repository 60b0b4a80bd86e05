import type { Client } from '@posthorn/client'
import { type Delivery, sampleEvent } from '@posthorn/contract'
import { randomBytes } from 'node:crypto'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { makeSigningSecret } from '../domain/signing-secret.ts'
import { UsageError } from './command-error.ts'
import type { Command } from './command.ts'
import { customerConnection, customerOptions } from './connection.ts'
import { followDeliveries, latestSequence, printWaiting, untilServed } from './follow-deliveries.ts'
import { forwardDelivery, type Forwarded } from './forward-delivery.ts'
import { ListenState } from './listen-state.ts'
import { removeOwnEndpoint, takeOwnEndpoint } from './own-endpoint.ts'
import { pause } from './pause.ts'
import { printJson, printLine, printLines } from './print.ts'
import { serviceClient } from './service-client.ts'
import { stopSignal } from './stop-signal.ts'
import { wholeNumber } from './whole-number.ts'

const retryMs = 1_000

export const listen: Command = {
  name: 'listen',
  summary: 'Forward the deliveries of an endpoint to this machine',
  about: [
    'Asks the service for new deliveries and forwards each to a receiver on this machine, which needs no public address.',
    'The command signs the events with its own secret. It prints the secret at the start and uses it again next time.',
    'First it sends one forged request, and says whether the receiver rejects it.',
    '',
    'Without --endpoint, the command creates a disabled endpoint that collects events, and deletes it at the end. If it',
    'is killed, the next session uses and deletes that endpoint.',
    'With --endpoint, each session continues after the last delivery that the receiver answered. posthorn trigger works',
    'only with --endpoint, because it needs an enabled endpoint.',
    '',
    'If the receiver does not answer, the command waits. It shows answers other than 2xx and continues with the next',
    'delivery. Needs an API key with the scope read, and without --endpoint also send.',
  ].join('\n'),
  operands: [{ name: 'target', meaning: 'A port on this machine, or a URL.' }],
  options: {
    endpoint: {
      value: 'id',
      meaning: 'Forward the deliveries of this endpoint. Posthorn still sends them to the endpoint too.',
    },
    'after-sequence': { value: 'number', meaning: 'Start after this sequence number.' },
    state: {
      value: 'file',
      meaning: 'Where to keep the position and the secret (default ~/.posthorn/listen.json).',
    },
    'no-check': { meaning: 'Skip the forged request.' },
    ...customerOptions,
  },
  examples: [
    'posthorn listen 3000',
    'posthorn listen http://localhost:3000/webhooks --endpoint wh_…',
    'posthorn listen 3000 --endpoint wh_… --after-sequence 1041 --json',
  ],
  async run(input) {
    const target = targetUrl(input.operand('target'))
    const given = wholeNumber(input, 'after-sequence')
    const connection = customerConnection(input)
    const client = serviceClient(connection)
    const state = new ListenState(input.text('state') ?? join(homedir(), '.posthorn', 'listen.json'))
    const stop = stopSignal()
    const say = input.flag('json') ? () => {} : printLines

    const named = input.text('endpoint')
    const id = named ?? (await takeOwnEndpoint(client, connection, state))
    try {
      const from = given ?? state.sequenceOf(id) ?? (await latestSequence(client, id))
      state.rememberSequence(id, from)
      say(`Forwarding ${id} to ${target}, starting after #${from}. Press Ctrl-C to stop.`)
      say(`\n  ${state.secret}\n\nAdd this signing secret to the receiver.`)
      if (!input.flag('no-check')) say(await checkSentence(target, stop))
      await forwardAll(client, { id, from, target, state, stop, say, isJson: input.flag('json') })
    } finally {
      if (named === undefined) await removeOwnEndpoint(client, state, id)
    }
    return { exitCode: 0 }
  },
}

interface Forwarding {
  readonly id: string
  readonly from: number
  readonly target: string
  readonly state: ListenState
  readonly stop: AbortSignal
  readonly say: (text: string) => void
  readonly isJson: boolean
}

/** Forwards each delivery after `from`, until stopped. */
async function forwardAll(client: Client, forwarding: Forwarding): Promise<void> {
  const { id, from, target, state, stop, say, isJson } = forwarding
  const following = { stop, onWait: printWaiting }
  for await (const delivery of followDeliveries(client, id, from, following)) {
    const ask = async () => await client.getEvent({ params: { id: delivery.event_id } }, { signal: stop })
    const event = await untilServed(ask, following)
    if (event === null) return
    // erased events are never sent again
    if (event.erased_at !== null) continue
    const forward = async () => await forwardDelivery(target, state.secret, delivery, event, stop)
    const forwarded = await untilAnswered(forward, stop, () =>
      say(`${target} does not answer: waiting with #${delivery.sequence}`),
    )
    if (forwarded === null) return
    state.rememberSequence(id, delivery.sequence)
    if (isJson) printJson(jsonOf(delivery, forwarded))
    else printLine(textLine(delivery, forwarded))
  }
}

/** Tries until the receiver answers. Null if the command is stopped first. */
async function untilAnswered(
  forward: () => Promise<Forwarded>,
  stop: AbortSignal,
  onSilence: () => void,
): Promise<Forwarded | null> {
  for (let isFirst = true; !stop.aborted; isFirst = false) {
    const forwarded = await forward()
    if (forwarded.status !== null) return forwarded
    if (isFirst && !stop.aborted) onSilence()
    await pause(retryMs, stop)
  }
  return null
}

function targetUrl(text: string): string {
  if (/^\d{1,5}$/.test(text)) return `http://127.0.0.1:${text}/`
  if (/^https?:$/.test(URL.parse(text)?.protocol ?? '')) return text
  throw new UsageError(`<target> must be a port or an http URL, not "${text}"`)
}

async function checkSentence(target: string, stop: AbortSignal): Promise<string> {
  const refuses = await receiverRefusesForgery(target, stop)
  if (refuses === null) return 'The receiver does not answer yet, so its verification was not checked.\n'
  return refuses
    ? 'The receiver rejected a forged request, as it should.\n'
    : 'WARNING: the receiver accepted a forged request. Make it verify the signature, or anyone can send it events.\n'
}

function jsonOf(
  { id, sequence, event_id }: Delivery,
  { status, milliseconds, verifiedBy }: Forwarded,
): object {
  return { delivery_id: id, event_id, sequence, status, milliseconds, verified_by: verifiedBy }
}

function textLine({ sequence, event }: Delivery, { status, milliseconds, verifiedBy }: Forwarded): string {
  const proof = verifiedBy === null ? '' : `  verified ${verifiedBy}`
  return `#${sequence}  ${event.type.padEnd(18)}  ${event.to.join(',')}  ${status} in ${milliseconds} ms${proof}`
}

/** Whether the receiver rejects a delivery with an unknown secret; null if it does not answer. */
async function receiverRefusesForgery(target: string, stop: AbortSignal): Promise<boolean | null> {
  const sample = sampleEvent('email.delivered')
  const event = {
    id: 'evt_00000000000000000000000000',
    type: sample.type,
    data: { ...sample.data, email_id: 'em_test_forged', to: ['forged@posthorn.invalid'] },
    created_at: new Date().toISOString(),
    erased_at: null,
  }
  const delivery = { id: 'dlv_00000000000000000000000000', sequence: 0, attempt_count: 0 }
  const { status } = await forwardDelivery(target, makeSigningSecret(randomBytes), delivery, event, stop)
  return status === null ? null : status < 200 || status > 299
}
