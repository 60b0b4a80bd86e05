import { ApiProblem, type Client } from '@posthorn/client'
import { healthLimits, type System, type SystemHealth } from '@posthorn/contract'
import { durationWords } from '../domain/duration-words.ts'
import { asCalled } from './called-as.ts'
import { type Check, checksReport } from './check.ts'
import type { Command } from './command.ts'
import { operatorConnection, operatorNote, operatorOptions } from './connection.ts'
import { mailCheck } from './mail-check.ts'
import { serviceClient } from './service-client.ts'

export const status: Command = {
  name: 'status',
  summary: 'Show in ten lines whether everything is healthy',
  about: [
    'Each line is one check of the running service. If a check finds a problem, its line says what to do, and the',
    'command exits with 1. An endpoint that fails is only a note, because Posthorn works and its receiver does not.',
    operatorNote,
  ].join('\n'),
  options: operatorOptions,
  examples: ['posthorn status', 'watch posthorn status', 'posthorn status --json | jq .ok'],
  async run(input) {
    const connection = operatorConnection(input)
    const client = serviceClient(connection)
    const ready = await readinessCheck(client)
    if (ready.state === 'broken') return checksReport([ready], '')
    const [system, health] = await Promise.all([client.getSystem(), client.getSystemHealth()])
    const upSeconds = (Date.now() - Date.parse(system.started_at)) / 1_000
    const checks: Check[] = [
      {
        name: 'Service',
        state: 'ok',
        found: `${connection.url}, version ${system.version}, up ${durationWords(Math.max(0, upSeconds))}`,
      },
      ready,
      ...shardsCheck(system),
      databaseCheck(system, health),
      clockCheck(health),
      processesCheck(system),
      { name: 'Accepting', state: 'ok', found: `${perSecond(health.accepted_per_second)} events` },
      sendingCheck(health),
      queueCheck(health),
      ...mailCheck(health),
      endpointsCheck(health),
    ]
    return checksReport(checks, whenNothingIsBroken(checks))
  },
}

function whenNothingIsBroken(checks: readonly Check[]): string {
  const notes = checks.filter(({ state }) => state === 'note').map(({ name }) => name.toLowerCase())
  return notes.length === 0 ? 'Everything is healthy.' : `Posthorn works. See the notes: ${notes.join(', ')}.`
}

async function readinessCheck(client: Client): Promise<Check> {
  try {
    await client.getReadiness()
    return { name: 'Ready', state: 'ok', found: 'accepts reports and sends events' }
  } catch (error) {
    if (!(error instanceof ApiProblem)) throw error
    return {
      name: 'Ready',
      state: 'broken',
      found: error.message,
      advice: asCalled('To find the cause, run posthorn doctor'),
    }
  }
}

/** One line for an installation with several shards, otherwise none. */
function shardsCheck({ shard, shards }: System): Check[] {
  if (shards === undefined) return []
  const down = shards.filter(({ state }) => state === 'down')
  const found = `${shards.length - down.length} of ${shards.length} up; the database and processes below are those of shard ${shard}`
  if (down.length === 0) return [{ name: 'Shards', state: 'ok', found }]
  const problems = down.map(({ problem }) => problem).join(' ')
  return [
    {
      name: 'Shards',
      state: 'broken',
      found: `${found}. ${problems}`,
      advice: 'The accounts of a shard that is down get 503; all others work',
    },
  ]
}

function databaseCheck({ database, schema_version }: System, { database_ms }: SystemHealth): Check {
  const kind = database.kind === 'embedded' ? 'embedded' : 'PostgreSQL'
  const size = `${(database.size_bytes / 1e6).toFixed(0)} MB`
  const found = `${kind} ${database.version}, ${size}, schema ${schema_version}, answers in ${database_ms.toFixed(0)} ms`
  if (database_ms <= healthLimits.databaseMs) return { name: 'Database', state: 'ok', found }
  return {
    name: 'Database',
    state: 'broken',
    found,
    advice: 'It is slow: check the load and the disk of its machine',
  }
}

function clockCheck({ clock_skew_ms, maintenance }: SystemHealth): Check {
  const found = `${Math.abs(clock_skew_ms).toFixed(0)} ms from the database clock, maintenance ${maintenance.state}`
  switch (maintenance.reason) {
    case null:
      return { name: 'Clock', state: 'ok', found }
    case 'clocks_differ':
      return {
        name: 'Clock',
        state: 'broken',
        found,
        advice: 'Synchronize the clocks of both machines with NTP',
      }
    case 'clock_behind':
    case 'clock_jumped':
      return {
        name: 'Clock',
        state: 'broken',
        found: `${found}: the database says ${maintenance.database_clock}`,
        advice: asCalled(
          'If that is right, run posthorn maintenance confirm-clock. If not, correct its clock',
        ),
      }
  }
}

function processesCheck({ processes }: System): Check {
  const versions = [...new Set(processes.map(({ version }) => version))]
  const found = `${processes.length} (${processes.map(({ role }) => role).join(', ')}), version ${versions.join(' and ')}`
  if (!processes.some(({ role }) => role !== 'api')) {
    return {
      name: 'Processes',
      state: 'broken',
      found,
      advice: 'No process sends events: start one with POSTHORN_ROLE=dispatcher or POSTHORN_ROLE=all',
    }
  }
  return { name: 'Processes', state: versions.length > 1 ? 'note' : 'ok', found }
}

function sendingCheck({ delivered_per_second, failed_per_second, in_flight }: SystemHealth): Check {
  return {
    name: 'Sending',
    state: 'ok',
    found: `${perSecond(delivered_per_second)} delivered, ${perSecond(failed_per_second)} failed, ${in_flight} in flight`,
  }
}

function queueCheck({ waiting, oldest_due_seconds }: SystemHealth): Check {
  const found = `${waiting} deliveries waiting, the oldest that could be sent is ${durationWords(oldest_due_seconds)} late`
  if (oldest_due_seconds <= healthLimits.oldestDueSeconds) return { name: 'Queue', state: 'ok', found }
  return {
    name: 'Queue',
    state: 'broken',
    found,
    advice:
      'The processes cannot keep up (see docs/run/scaling.md), or an endpoint with many deliveries is slow',
  }
}

function endpointsCheck({ failing_endpoints, disabled_endpoints, worst }: SystemHealth): Check {
  const [first] = worst
  const found = `${failing_endpoints} failing, ${disabled_endpoints} disabled`
  if (first === undefined) return { name: 'Endpoints', state: failing_endpoints > 0 ? 'note' : 'ok', found }
  const { webhook_id: id, account_name: account, last_error_code: code, state } = first
  const command = asCalled(`posthorn deliveries tail ${id}`)
  return {
    name: 'Endpoints',
    state: 'note',
    found,
    advice: `Longest: ${id} of ${account} (${code ?? state}). To see why, run ${command} with a key of that account`,
  }
}

function perSecond(rate: number): string {
  return `${rate.toFixed(rate < 10 ? 1 : 0)}/s`
}
