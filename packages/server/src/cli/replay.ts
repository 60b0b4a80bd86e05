import type { Client } from '@posthorn/client'
import { type Replay, replayStates } from '@posthorn/contract'
import type { Command, Report } from './command.ts'
import { UsageError } from './command-error.ts'
import type { CommandInput } from './command-input.ts'
import { customerConnection, customerOptions } from './connection.ts'
import { endpointOperand } from './endpoint-operand.ts'
import { parseEventTypes } from './event-types.ts'
import { sayThatItWaits, untilServed } from './follow-deliveries.ts'
import { pause } from './pause.ts'
import { progressBar } from './progress-bar.ts'
import { serviceClient } from './service-client.ts'
import { stopSignal } from './stop-signal.ts'
import { parseMoment } from './moment.ts'

const pollMs = 500

export const replay: Command = {
  name: 'replay',
  summary: 'Send deliveries of an endpoint again',
  about: [
    'A job of the service: it goes on when this command is stopped, and when the service is restarted. Without',
    '--states what failed or was given up goes out again, with the same event ids and sequence numbers. missing makes',
    'deliveries for events that the endpoint never had one for. The endpoint must be enabled. Needs an API key with',
    'the scopes send and read.',
  ].join('\n'),
  operands: [endpointOperand],
  options: {
    since: { value: 'time', meaning: 'Events from then on: RFC 3339, or how long ago, as 90m, 12h or 3d.' },
    until: { value: 'time', meaning: 'Events before then (default now).' },
    states: { value: 'list', meaning: `Of ${replayStates.join(', ')}, separated by commas.` },
    types: { value: 'list', meaning: 'Types of events (default those that the endpoint subscribes to).' },
    'dry-run': { meaning: 'Only say how many that would be.' },
    detach: { meaning: 'Do not wait for the end.' },
    ...customerOptions,
  },
  examples: [
    'posthorn replay wh_… --since 12h --dry-run',
    'posthorn replay wh_… --since 2026-11-20T00:00:00Z --until 2026-11-21T00:00:00Z',
    'posthorn replay wh_… --since 3d --states missing,exhausted --types email.bounced --json',
  ],
  async run(input) {
    const client = serviceClient(customerConnection(input))
    const answer = await client.createReplay({
      params: { id: input.operand('endpoint') },
      body: replayBody(input),
    })
    if ('dry_run' in answer) {
      const text =
        answer.count === 0
          ? 'Nothing would be sent again.'
          : `${answer.count} would be sent again, in about ${answer.estimated_seconds} s (from ${answer.first} to ${answer.last}).`
      return { exitCode: 0, json: answer, text }
    }
    if (input.flag('detach')) return report(answer)
    return report(await untilItEnds(client, answer, input.flag('json')))
  },
}

function replayBody(input: CommandInput) {
  const until = input.text('until')
  const states = input.text('states')
  const types = input.text('types')
  return {
    since: parseMoment('--since', input.required('since')),
    ...(until !== undefined && { until: parseMoment('--until', until) }),
    ...(states !== undefined && { states: parseStates(states) }),
    ...(types !== undefined && { types: parseEventTypes('--types', types) }),
    dry_run: input.flag('dry-run'),
  }
}

/** Shows the progress until the replay is over or the command is stopped. */
async function untilItEnds(client: Client, started: Replay, quiet: boolean): Promise<Replay> {
  const stop = stopSignal()
  const bar = quiet ? null : progressBar(process.stderr)
  let now = started
  while (now.state === 'running' && !stop.aborted) {
    bar?.show(now.done, now.total)
    await pause(pollMs, stop)
    const { id } = now
    const ask = async () => await client.getReplay({ params: { id } }, { signal: stop })
    now = (await untilServed(ask, { stop, onWait: sayThatItWaits })) ?? now
  }
  bar?.show(now.done, now.total)
  bar?.end()
  return now
}

function report(replayed: Replay): Report {
  const { id, state, done, total } = replayed
  const count = `${done} of ${total}`
  const text =
    state === 'running'
      ? `The replay ${id} goes on in the service (${count}); GET /v1/replays/${id} tells how far it is.`
      : `The replay ${id} is ${state}: ${count} sent again.`
  return { exitCode: state === 'cancelled' ? 1 : 0, json: replayed, text }
}

function parseStates(text: string) {
  return text.split(',').map(part => {
    const state = replayStates.find(one => one === part.trim())
    if (state === undefined) throw new UsageError(`--states takes ${replayStates.join(', ')}, not "${part}"`)
    return state
  })
}
