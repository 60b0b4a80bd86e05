import { ApiProblem, type Client } from '@posthorn/client'
import { type Replay, replayStates } from '@posthorn/contract'
import type { Command, Report } from './command.ts'
import { UsageError } from './command-error.ts'
import type { CommandInput } from './command-input.ts'
import { customerConnection, customerOptions } from './connection.ts'
import { endpointOperand } from './endpoint-operand.ts'
import { parseEventTypes } from './event-types.ts'
import { printWaiting, untilServed } from './follow-deliveries.ts'
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
    'By default, sends the failed and exhausted deliveries again, with the same event ids and sequence numbers. The state',
    '"missing" creates deliveries for events that have none for this endpoint. The endpoint must be enabled.',
    'The command waits until each delivery was tried once, prints how many were delivered and how many failed, and exits',
    'with 1 if any failed. The service retries those. If you stop the command, the replay continues in the service.',
    'Needs an API key with the scopes send and read.',
  ].join('\n'),
  operands: [endpointOperand],
  options: {
    since: {
      value: 'time',
      meaning: 'Events from this time on, in RFC 3339 or as a time ago such as 90m, 12h or 3d.',
    },
    until: { value: 'time', meaning: 'Events before this time (default now).' },
    states: { value: 'list', meaning: `The states to replay: ${replayStates.join(', ')}.` },
    types: {
      value: 'list',
      meaning: 'The event types to replay (default those that the endpoint subscribes to).',
    },
    'dry-run': { meaning: 'Print the number of deliveries without sending them.' },
    detach: { meaning: 'Do not wait until the replay is done.' },
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
          ? nothingToReplay
          : `This would send ${answer.count} deliveries again, in about ${answer.estimated_seconds} s (from ${answer.first} to ${answer.last}).`
      return { exitCode: 0, json: answer, text }
    }
    if (input.flag('detach')) return report(answer, false)
    const stop = stopSignal()
    const bar = input.flag('json') || answer.total === 0 ? null : progressBar(process.stderr)
    const queued = await untilQueued(client, answer, stop, bar)
    bar?.end()
    return report(await untilTried(client, queued, stop), true)
  },
}

const nothingToReplay =
  'Nothing to replay: no delivery of the endpoint matches. Check --since, --until, --states (default failed,exhausted) and --types.'

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

/** Shows the progress until everything is queued or the command is stopped. */
async function untilQueued(
  client: Client,
  started: Replay,
  stop: AbortSignal,
  bar: Pick<ReturnType<typeof progressBar>, 'show'> | null,
): Promise<Replay> {
  let now = started
  while (now.state === 'running' && !stop.aborted) {
    bar?.show(now.done, now.total)
    now = await askLater(client, now, stop)
  }
  bar?.show(now.done, now.total)
  return now
}

/** Waits until each delivery of the replay was tried once, or the endpoint is disabled or deleted. */
async function untilTried(client: Client, queued: Replay, stop: AbortSignal): Promise<Replay> {
  const ask = async () =>
    await client.getWebhook({ params: { id: queued.webhook_id } }, { signal: stop }).catch(goneIfDeleted)
  let now = queued
  // in a very large replay, the service counts only when all deliveries are done
  while (now.state !== 'running' && now.pending !== 0 && !stop.aborted) {
    const endpoint = await untilServed(ask, { stop, onWait: printWaiting })
    now = await askLater(client, now, stop)
    if (endpoint?.status !== 'enabled') break
  }
  return now
}

async function askLater(client: Client, { id, ...rest }: Replay, stop: AbortSignal): Promise<Replay> {
  await pause(pollMs, stop)
  const ask = async () => await client.getReplay({ params: { id } }, { signal: stop })
  return (await untilServed(ask, { stop, onWait: printWaiting })) ?? { id, ...rest }
}

function goneIfDeleted(error: unknown): null {
  if (error instanceof ApiProblem && error.code === 'not_found') return null
  throw error
}

function report(replayed: Replay, hasWaited: boolean): Report {
  const { id, state, done, total, delivered, failed_again: failed, pending } = replayed
  if (total === 0 && state !== 'cancelled') return { exitCode: 0, json: replayed, text: nothingToReplay }
  const isOver = state !== 'running' && pending === 0
  const counts = `${delivered ?? 'an unknown number'} delivered, ${failed ?? 'an unknown number'} failed`
  const text =
    state === 'running'
      ? `The replay ${id} continues in the service (${done} of ${total}). GET /v1/replays/${id} shows its progress.`
      : `The replay ${id} is ${state}: ${done} of ${total} sent again, ${counts}${isOver ? '' : ', the others not tried yet'}.`
  const hasFailed =
    state === 'cancelled' || (hasWaited && ((failed ?? 0) > 0 || (state === 'done' && !isOver)))
  return {
    exitCode: hasFailed ? 1 : 0,
    json: replayed,
    text: (failed ?? 0) > 0 ? `${text} The service retries the failed ones.` : text,
  }
}

function parseStates(text: string) {
  return text.split(',').map(part => {
    const state = replayStates.find(one => one === part.trim())
    if (state === undefined) {
      throw new UsageError(`--states must be one of ${replayStates.join(', ')}, not "${part}"`)
    }
    return state
  })
}
