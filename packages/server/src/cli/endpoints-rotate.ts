import type { Client } from '@posthorn/client'
import type { SigningKey, SigningKeyPromoted } from '@posthorn/contract'
import { calledAs } from './called-as.ts'
import type { Command, Report } from './command.ts'
import { CommandError, UsageError } from './command-error.ts'
import type { CommandInput } from './command-input.ts'
import { customerConnection, customerOptions } from './connection.ts'
import { endpointOperand } from './endpoint-operand.ts'
import { complain, printJson, printLines } from './print.ts'
import { serviceClient } from './service-client.ts'
import { stopSignal } from './stop-signal.ts'
import { takeStagedKey } from './take-staged-key.ts'
import { waitForProof } from './wait-for-proof.ts'
import { wholeNumber } from './whole-number.ts'

export const endpointsRotate: Command = {
  name: 'endpoints rotate',
  summary: 'Replace the signing secret of an endpoint and miss no event',
  about: [
    'Stages a new secret and shows it once. Add it to the receiver beside the old one: until the promotion, every event',
    'is signed with both. Then the command waits until the receiver reports that it verifies with the new secret, and',
    'promotes it. Ctrl-C changes nothing: run the command again, and it continues with the staged secret.',
    'A receiver reports it only when an event arrives and if it uses an adapter of @posthorn/receiver. --send-tests sends',
    'a sample event every ten seconds. For other receivers, run the command with --without-proof once they verify with',
    'both. Needs an API key with the scopes read and send.',
  ].join('\n'),
  operands: [endpointOperand],
  options: {
    'send-tests': { meaning: 'Send sample events, so that the proof does not wait for real ones.' },
    proofs: {
      value: 'count',
      meaning: 'Events that must be verified with the new secret first (default 1).',
    },
    'without-proof': { meaning: 'Promote at once.' },
    discard: { meaning: 'Discard a secret that was staged before, because it was lost; stage another.' },
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
    if (proofs < 1) throw new UsageError('--proofs must be at least 1; --without-proof asks for none')
    const client = serviceClient(customerConnection(input))
    const { isFresh, ...staged } = await takeStagedKey(client, id, input.flag('discard'))
    showStaged(input, staged, isFresh)
    if (input.flag('without-proof')) {
      // nobody can have configured a secret that was shown this moment
      if (isFresh) return waiting(input, id, staged, 'Add it to the receiver')
      return await promote(input, client, id, staged)
    }
    await refuseDisabled(client, id)
    const stop = stopSignal()
    const key = await waitForProof(client, id, staged, {
      stop,
      proofs,
      sendTests: input.flag('send-tests'),
      isQuiet: input.flag('json'),
    })
    if (key === null) return waiting(input, id, staged, 'Stopped before the promotion')
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
        `Staged the secret ${key.key_id}:`,
        '',
        `  ${key.secret}`,
        '',
        'It is shown only now. Add it to the receiver beside the old one:',
        '  createVerifier({ secrets: [<the old secret>, <the secret above>] })',
        '',
      ].join('\n'),
    )
  } else {
    printLines(
      `Continuing with the secret ${key.key_id} (${key.secret_prefix}…), staged and shown at ${key.created_at}. If it was lost, add --discard.`,
    )
  }
}

async function refuseDisabled(client: Client, id: string): Promise<void> {
  const { status } = await client.getWebhook({ params: { id } })
  if (status === 'enabled') return
  throw new CommandError(
    'endpoint_disabled',
    `the endpoint is disabled, so no event can prove anything: run ${calledAs()} endpoints enable ${id}, or rotate with --without-proof`,
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
  for (const { message } of promoted.warnings ?? []) complain(`posthorn: ${message}`)
  if (input.flag('json')) {
    printJson({ step: 'promoted', ...promoted })
    return { exitCode: 0 }
  }
  return {
    exitCode: 0,
    text: `Promoted ${key_id}: from now on it alone signs. Remove the old secret from the receiver when its last retries are in.`,
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
    text: `${what}: the old secret still signs, and ${key_id} stays staged. To continue, run:\n  ${again}`,
  }
}
