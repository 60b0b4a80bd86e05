import type { Client } from '@posthorn/client'
import type { Erasure } from '@posthorn/contract'
import type { Command, Report } from './command.ts'
import { UsageError } from './command-error.ts'
import type { CommandInput } from './command-input.ts'
import { customerConnection, customerOptions, operatorConnection } from './connection.ts'
import { sayThatItWaits, untilServed } from './follow-deliveries.ts'
import { pause } from './pause.ts'
import { serviceClient } from './service-client.ts'
import { stopSignal } from './stop-signal.ts'

const pollMs = 500

export const erasuresCreate: Command = {
  name: 'erasures create',
  summary: "Remove a person's address from everything that is stored",
  about: [
    'Events to the address lose their data, and what was not delivered is never sent. It cannot be undone. A job of the',
    'service does it; the command waits for its end and prints the receipt. Suppressions of the person stay in force',
    'without the address. Needs an API key with the scopes send and read. With --account it acts as the operator, whose',
    'token is POSTHORN_ADMIN_TOKEN or the file admin-token in the data directory.',
  ].join('\n'),
  operands: [{ name: 'address', meaning: "The person's address." }],
  options: {
    account: { value: 'id', meaning: 'Act as the operator for this account, acct_….' },
    detach: { meaning: 'Do not wait for the end.' },
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
    throw new UsageError('--account is for the operator: an API key has its own account')
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
    now = (await untilServed(ask, { stop, onWait: sayThatItWaits })) ?? now
  }
  return now
}

function report(erasure: Erasure): Report {
  const { id, state, events, deliveries, attempts, finished_at } = erasure
  const text =
    state === 'running'
      ? `The erasure ${id} goes on in the service; GET /v1/erasures/${id} is its receipt.`
      : `Erased ${events} events, ${deliveries} deliveries and ${attempts} attempts by ${finished_at}. Receipt: ${id}`
  return { exitCode: 0, json: erasure, text }
}
