import type { Client } from '@posthorn/client'
import type { SigningKey, SigningKeyPromoted } from '@posthorn/contract'
import { calledAs } from './called-as.ts'
import type { Command, Report } from './command.ts'
import { CommandError, UsageError } from './command-error.ts'
import type { CommandInput } from './command-input.ts'
import { customerConnection, customerOptions } from './connection.ts'
import { endpointOperand } from './endpoint-operand.ts'
import { printError, printJson, printLines } from './print.ts'
import { serviceClient } from './service-client.ts'
import { stopSignal } from './stop-signal.ts'
import { takeStagedKey } from './take-staged-key.ts'
import { waitForProof } from './wait-for-proof.ts'
import { wholeNumber } from './whole-number.ts'

export const endpointsRotate: Command = {
  name: 'endpoints rotate',
  summary: 'Replace the signing secret of an endpoint without losing events',
  about: [
    'The command has three steps:',
    '  1. It stages a new secret and shows it once. Add it to the receiver beside the old one. Posthorn then signs',
    '     every event with both secrets.',
    '  2. It waits until the receiver proves that it verifies events with the new secret.',
    '  3. It promotes the new secret. Posthorn then signs every attempt with it alone.',
    'To stop, press Ctrl-C. To continue later with the same secret, run the command again.',
    'Receivers send the proof if they use an adapter of @posthorn/receiver. For other receivers, run the command again',
    'with --without-proof when they accept both secrets.',
    'Needs an API key with the scopes read and send.',
  ].join('\n'),
  operands: [endpointOperand],
  options: {
    'send-tests': { meaning: 'Send a sample event every ten seconds instead of waiting for real events.' },
    proofs: {
      value: 'count',
      meaning: 'How many events the receiver must verify with the new secret (default 1).',
    },
    'without-proof': { meaning: 'Promote without waiting for the proof.' },
    discard: { meaning: 'Discard the secret that is already staged, and stage another.' },
    ...customerOptions,
  },
  examples: [
    'posthorn endpoints rotate wh_…',
    'posthorn endpoints rotate wh_… --send-tests --proofs 3',
    'posthorn endpoints rotate wh_… --without-proof',
  ],
  async run(input) {
    const id = input.operand('endpoint')
    const proofs = wholeNumber(input, 'proofs') ?? 1
    if (proofs < 1)
      throw new UsageError('--proofs must be at least 1. To skip the proof, use --without-proof')
    const client = serviceClient(customerConnection(input))
    if (!input.flag('without-proof')) await refuseDisabled(client, id)
    const { isFresh, ...staged } = await takeStagedKey(client, id, input.flag('discard'))
    showStaged(input, staged, isFresh)
    if (input.flag('without-proof')) {
      // the receiver cannot have a secret that was shown just now
      if (isFresh) return waiting(input, id, staged, 'Add the new secret to the receiver first')
      return await promote(input, client, id, staged)
    }
    const stop = stopSignal()
    const key = await waitForProof(client, id, staged, {
      stop,
      proofs,
      sendTests: input.flag('send-tests'),
      isQuiet: input.flag('json'),
    })
    if (key === null) return waiting(input, id, staged, 'Stopped before the new secret was promoted')
    return await promote(input, client, id, key)
  },
}

function showStaged(
  input: CommandInput,
  key: SigningKey & { secret?: string | null },
  isFresh: boolean,
): void {
  if (input.flag('json')) {
    printJson({ step: 'staged', ...key })
  } else if (isFresh) {
    printLines(
      [
        `Staged a new secret, ${key.key_id}:`,
        '',
        `  ${key.secret}`,
        '',
        'This is the only time it is shown. Add it to the receiver beside the old one:',
        '  createVerifier({ secrets: [<the old secret>, <the secret above>] })',
        '',
      ].join('\n'),
    )
  } else {
    printLines(
      `Continuing with the secret ${key.key_id} (${key.secret_prefix}…), which was staged at ${key.created_at}. If you lost it, add --discard.`,
    )
  }
}

async function refuseDisabled(client: Client, id: string): Promise<void> {
  const { status } = await client.getWebhook({ params: { id } })
  if (status === 'enabled') return
  throw new CommandError(
    'endpoint_disabled',
    `the endpoint is disabled, so it receives no event to verify: run ${calledAs()} endpoints enable ${id}, or add --without-proof`,
  )
}

async function promote(
  input: CommandInput,
  client: Client,
  id: string,
  { key_id, state, ...key }: SigningKey,
): Promise<Report> {
  const promoted: SigningKeyPromoted =
    state === 'primary'
      ? { ...key, key_id, state }
      : await client.promoteSigningKey({ params: { id, key_id } })
  for (const { message } of promoted.warnings ?? []) printError(`posthorn: ${message}`)
  if (input.flag('json')) {
    printJson({ step: 'promoted', ...promoted })
    return { exitCode: 0 }
  }
  return {
    exitCode: 0,
    text: `Promoted ${key_id}: it now signs every attempt, including retries. You can remove the old secret from the receiver: requests in flight have both signatures.`,
  }
}

function waiting(input: CommandInput, id: string, { key_id }: SigningKey, what: string): Report {
  if (input.flag('json')) {
    printJson({ step: 'waiting', key_id })
    return { exitCode: 1 }
  }
  const again = `${calledAs()} ${['endpoints rotate', id, ...(input.flag('without-proof') ? ['--without-proof'] : [])].join(' ')}`
  return {
    exitCode: 1,
    text: `${what}. The old secret still signs, and ${key_id} stays staged. To continue, run:\n  ${again}`,
  }
}
