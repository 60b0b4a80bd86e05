import { readFileSync } from 'node:fs'
import type { SystemHealth } from '@posthorn/contract'
import { healthLimits } from '@posthorn/contract/plain'
import { expect, test } from 'vitest'
import { systemVerdict } from './system-verdict.ts'

const well: SystemHealth = {
  accepted_per_second: 12.4,
  delivered_per_second: 12.1,
  failed_per_second: 0.3,
  in_flight: 3,
  held: 0,
  unsettled: 0,
  waiting: 40,
  oldest_due_seconds: 0.4,
  mail: { waiting: 0, oldest_seconds: 0, last_reply: null, message: null, certificate_expires_at: null },
  database_ms: 1.2,
  clock_skew_ms: 3,
  maintenance: {
    state: 'running',
    reason: null,
    database_clock: '2026-11-21T04:00:00.000Z',
    last_trusted_at: '2026-11-21T04:00:00.000Z',
  },
  disabled_endpoints: 0,
  failing_endpoints: 0,
  worst: [],
}

test('a healthy system is called on time, with its rates', () => {
  const { tone, headline, advice } = systemVerdict(well)
  expect(tone).toBe('delivered')
  expect(headline).toBe('Deliveries are on time: 12.4/s accepted, 12.1/s delivered.')
  expect(advice).toBe('No endpoint is failing.')
})

test('a system without traffic reports no outage', () => {
  const night = { ...well, accepted_per_second: 0, delivered_per_second: 0, waiting: 0 }
  expect(systemVerdict(night).headline).toBe('All events are delivered. None came in the last minute.')
})

test('email that the mail server does not take is named, with its reply', () => {
  const message =
    'The mail server has not taken the email to 12 recipients, the oldest for 95 s. Its last reply: “451 queue full”.'
  const mail = { ...well.mail, waiting: 12, oldest_seconds: 95, last_reply: '451 queue full', message }
  expect(systemVerdict({ ...well, mail })).toMatchObject({
    tone: 'failed',
    headline: message,
    title: 'Mail waits',
  })
})

test('failing endpoints do not make deliveries count as late', () => {
  const { tone, advice } = systemVerdict({ ...well, failing_endpoints: 2, disabled_endpoints: 1 })
  expect(tone).toBe('delivered')
  expect(advice).toBe('2 endpoints fail, 1 is disabled.')
})

test('failing endpoints are named beside the sentence, the first three of many', () => {
  const endpoint = (host: string, state: 'failing' | 'disabled') => ({
    account_id: 'acct_1',
    account_name: 'Acme',
    webhook_id: `wh_${host}`,
    url_host: host,
    state,
    failing_since: null,
    waiting: 1,
    last_error_code: null,
  })
  const worst = ['a.test', 'b.test', 'c.test', 'd.test'].map(host => endpoint(host, 'failing'))
  const advice = (count: number) =>
    systemVerdict({
      ...well,
      failing_endpoints: count,
      worst: [endpoint('gone.test', 'disabled'), ...worst.slice(0, count)],
    }).advice
  expect(advice(2)).toBe('2 endpoints fail. Failing: a.test, b.test.')
  expect(advice(4)).toBe('4 endpoints fail. Failing: a.test, b.test, c.test and others.')
})

test('stopped maintenance is reported even if deliveries are on time', () => {
  const maintenance = { ...well.maintenance, state: 'stopped', reason: 'clock_jumped' } as const
  expect(systemVerdict({ ...well, maintenance })).toMatchObject({
    tone: 'failed',
    headline: expect.stringContaining('clock may be wrong'),
  })
})

test('unsent due deliveries are reported as late, and as more severe with time', () => {
  expect(systemVerdict({ ...well, oldest_due_seconds: 60 }).tone).toBe('delivered')
  expect(systemVerdict({ ...well, oldest_due_seconds: 125 })).toMatchObject({
    tone: 'failed',
    headline: 'Deliveries are late: one could have been sent 2 min 5 s ago.',
  })
  expect(systemVerdict({ ...well, oldest_due_seconds: 7_200 }).tone).toBe('exhausted')
})

test('late with attempts under way means that capacity is short, in the singular too', () => {
  const late = { ...well, oldest_due_seconds: 125 }
  expect(systemVerdict({ ...late, in_flight: 1, waiting: 1 }).advice).toMatch(
    '1 attempt is under way and 1 delivery waits. Start another dispatcher',
  )
  expect(systemVerdict({ ...late, in_flight: 3, waiting: 40 }).advice).toMatch(
    '3 attempts are under way and 40 deliveries wait.',
  )
})

test('if deliveries are late and none is in flight, the advice points to the dispatcher', () => {
  expect(systemVerdict({ ...well, oldest_due_seconds: 125, in_flight: 0 }).advice).toMatch('dispatcher runs')
})

test('a wrong clock is reported first, because nothing is signed then', () => {
  const off = systemVerdict({ ...well, clock_skew_ms: -90_000, oldest_due_seconds: 900 })
  expect(off.headline).toBe('Nothing is signed: this server’s clock is 1 min 30 s behind the database’s.')
  expect(off.tone).toBe('exhausted')
})

test('a shard that is down is reported first, with the reason', () => {
  const values = {
    accepted_per_second: 1,
    delivered_per_second: 1,
    waiting: 0,
    oldest_due_seconds: 0,
    database_ms: 1,
  }
  const none = {
    accepted_per_second: null,
    delivered_per_second: null,
    waiting: null,
    oldest_due_seconds: null,
    database_ms: null,
  }
  const up = { number: 0, state: 'up', problem: null, ...values } as const
  const down = { number: 1, state: 'down', problem: 'Shard 1 is not available.', ...none } as const
  expect(systemVerdict({ ...well, shards: [up] }).tone).toBe('delivered')
  expect(systemVerdict({ ...well, shards: [up, down], oldest_due_seconds: 900 })).toMatchObject({
    tone: 'exhausted',
    headline: 'Shard 1 does not answer.',
    advice: 'Shard 1 is not available. The accounts of all other shards work.',
  })
})

test('a certificate of the mail server is reported in its last week, and once it has expired', () => {
  const headline = (certificate_expires_at: string): string =>
    systemVerdict({ ...well, mail: { ...well.mail, certificate_expires_at } }).headline
  expect(headline('2026-11-29T04:00:00.000Z')).toMatch('on time')
  expect(headline('2026-11-24T04:00:00.000Z')).toMatch('certificate expires in 3 days')
  expect(headline('2026-11-20T04:00:00.000Z')).toMatch('has expired')
})

test('a slow database is reported before deliveries become late', () => {
  expect(systemVerdict({ ...well, database_ms: 400 }).headline).toMatch('The database is slow: 400 ms')
})

const rules = readFileSync(new URL('../../../../deploy/prometheus-rules.yaml', import.meta.url), 'utf8')

/** The sentence of an alert, with these values in its gaps. */
function alertSentence(alert: string, ...values: string[]): string {
  const [, summary = ''] = new RegExp(`alert: ${alert}\\n[^]*?summary: "(.+)"`).exec(rules) ?? []
  return summary.replaceAll("'", '’').replaceAll(/\{\{.+?\}\}/g, () => values.shift() ?? '')
}

test('a problem with an alert has the sentence of the alert', () => {
  const maintenance = { ...well.maintenance, state: 'stopped', reason: 'clock_jumped' } as const
  const headlines = [
    [{ oldest_due_seconds: 125 }, alertSentence('PosthornDeliveriesLate', '2 min 5 s')],
    [{ clock_skew_ms: -45_000 }, alertSentence('PosthornClockSkewed', 'this process', '45')],
    [{ database_ms: 400 }, alertSentence('PosthornDatabaseSlow', '400 ms')],
    [{ unsettled: 1_200 }, alertSentence('PosthornResultsUnsettled', 'Posthorn', '1,200')],
    [
      { mail: { ...well.mail, certificate_expires_at: '2026-11-24T04:00:00.000Z' } },
      alertSentence('PosthornMailCertificateExpires', '3 days'),
    ],
    [{ maintenance }, alertSentence('PosthornMaintenanceStopped')],
  ] as const
  for (const [health, sentence] of headlines) {
    expect(systemVerdict({ ...well, ...health }).headline).toBe(`${sentence}.`)
  }
})

test('an alert fires at the limit of the Health page', () => {
  const { databaseMs, oldestDueSeconds, clockSkewMs, unsettledResults, mailCertificateMs } = healthLimits
  for (const expression of [
    `posthorn_database_round_trip_seconds > ${databaseMs / 1_000}`,
    `max(posthorn_oldest_due_age_seconds) > ${oldestDueSeconds}`,
    `abs(posthorn_clock_skew_seconds) > ${clockSkewMs / 1_000}`,
    `posthorn_results_unsettled > ${unsettledResults}`,
    `posthorn_smtp_certificate_expiry_timestamp_seconds) - time() < ${mailCertificateMs / 86_400_000} * 86400`,
  ])
    expect(rules).toContain(expression)
})
