import type { Client } from '@posthorn/client'
import type { Erasure } from '@posthorn/contract'
import type { Command, Report } from './command.ts'
import { UsageError } from './command-error.ts'
import type { CommandInput } from './command-input.ts'
import { customerConnection, customerOptions, operatorConnection } from './connection.ts'
import { printWaiting, untilServed } from './follow-deliveries.ts'
import { pause } from './pause.ts'
import { serviceClient } from './service-client.ts'
import { stopSignal } from './stop-signal.ts'

const pollMs = 500

export const erasuresCreate: Command = {
  name: 'erasures create',
  summary: "Erase a person's email address and the events about it",
  about: [
    'Erases the data of all events to the address. Posthorn never sends undelivered ones. Suppressions stay in force,',
    'but without the address. You cannot undo this. The service does the work; the command waits until it is done, and',
    'prints the receipt.',
    'Needs an API key with the scopes send and read, or with --account the operator token: POSTHORN_ADMIN_TOKEN, or',
    'the file admin-token in the data directory.',
  ].join('\n'),
  operands: [{ name: 'address', meaning: 'The email address to erase.' }],
  options: {
    account: { value: 'id', meaning: 'As the operator: the account (acct_…).' },
    detach: { meaning: 'Do not wait until the erasure is done.' },
    ...customerOptions,
  },
  examples: [
    'posthorn erasures create ann@example.org',
    'posthorn erasures create ann@example.org --account acct_… --json',
  ],
  async run(input) {
    const account = input.text('account')
    const client = clientFor(input, account)
    const recipient = input.operand('address')
    const erasure = await client.createErasure({
      body: { recipient, ...(account !== undefined && { account_id: account }) },
    })
    return report(input.flag('detach') ? erasure : await untilDone(client, erasure))
  },
}

function clientFor(input: CommandInput, account: string | undefined): Client {
  if (account === undefined) return serviceClient(customerConnection(input))
  if (input.text('api-key') !== undefined) {
    throw new UsageError('--account is for the operator: an API key belongs to one account already')
  }
  return serviceClient(operatorConnection(input))
}

async function untilDone(client: Client, started: Erasure): Promise<Erasure> {
  const stop = stopSignal()
  const params = { id: started.id }
  const ask = async () => await client.getErasure({ params }, { signal: stop })
  let now = started
  while (now.state === 'running' && !stop.aborted) {
    await pause(pollMs, stop)
    now = (await untilServed(ask, { stop, onWait: printWaiting })) ?? now
  }
  return now
}

function report(erasure: Erasure): Report {
  const { id, state, events, deliveries, attempts, finished_at } = erasure
  const text =
    state === 'running'
      ? `The erasure ${id} continues in the service. GET /v1/erasures/${id} shows its receipt.`
      : `Erased ${events} events, ${deliveries} deliveries and ${attempts} attempts by ${finished_at}. Receipt: ${id}`
  return { exitCode: 0, json: erasure, text }
}
