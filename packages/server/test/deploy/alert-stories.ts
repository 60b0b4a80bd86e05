/** What Prometheus sees, and which alert it raises. */
export interface AlertStory {
  /** The rule that the story is about. */
  readonly alert: string
  /** What happens. */
  readonly name: string
  /** What differs from an ordinary day: series in promtool's notation, with one sample a minute. */
  readonly series: Readonly<Record<string, string>>
  readonly atMinutes: number
  /** How the alert looks after that time, while no other is raised. Null if none is raised up to then. */
  readonly raised: { readonly labels: Readonly<Record<string, string>>; readonly summary: string } | null
}

const a = 'instance="a"'
const attempts = (result: string): string => `posthorn_attempts_total{${a},result="${result}"}`

/** An ordinary day: five attempts a second that succeed. */
export const ordinaryDay: AlertStory['series'] = {
  [`up{job="posthorn",${a}}`]: '1x120',
  [`posthorn_clock_skew_seconds{${a}}`]: '0.01x120',
  [`posthorn_maintenance_stopped{${a}}`]: '0x120',
  [`posthorn_oldest_due_age_seconds{${a}}`]: '0.2x120',
  [`posthorn_database_round_trip_seconds{${a}}`]: '0.002x120',
  [`posthorn_results_unsettled{${a}}`]: '20x120',
  [attempts('success')]: '0+300x120',
}

const age = `posthorn_oldest_due_age_seconds{${a}}`
const roundTrip = `posthorn_database_round_trip_seconds{${a}}`
const unsettled = `posthorn_results_unsettled{${a}}`
const skew = `posthorn_clock_skew_seconds{${a}}`
const stopped = `posthorn_maintenance_stopped{${a}}`
const heldBack = (reason: string): string => `posthorn_deliveries_held_back{${a},reason="${reason}"}`
const waiting = (shard: number): string => `posthorn_handovers_waiting{${a},shard="${shard}"}`
const handovers = (shard: number, result: string): string =>
  `posthorn_handovers_total{${a},shard="${shard}",result="${result}"}`
const certificate = 'posthorn_smtp_certificate_expiry_timestamp_seconds{instance="a"}'

export const alertStories: readonly AlertStory[] = [
  {
    alert: 'PosthornDown',
    name: 'the process is gone',
    series: { [`up{job="posthorn",${a}}`]: '1 0x120' },
    atMinutes: 10,
    raised: {
      labels: { severity: 'critical', job: 'posthorn', instance: 'a' },
      summary: 'a does not answer /metrics',
    },
  },
  {
    alert: 'PosthornDown',
    name: 'the process restarts',
    series: { [`up{job="posthorn",${a}}`]: '1x7 0 0 1x120' },
    atMinutes: 9,
    raised: null,
  },
  {
    alert: 'PosthornShardDown',
    name: 'a shard is down',
    series: { 'posthorn_shard_up{shard="0"}': '1x120', 'posthorn_shard_up{shard="1"}': '1 0x120' },
    atMinutes: 10,
    raised: {
      labels: { severity: 'critical', shard: '1' },
      summary: 'Shard 1 does not answer. Its accounts get 503',
    },
  },
  {
    alert: 'PosthornShardDown',
    name: 'a shard misses one question',
    series: { 'posthorn_shard_up{shard="0"}': '1x120', 'posthorn_shard_up{shard="1"}': '1x8 0 1x120' },
    atMinutes: 9,
    raised: null,
  },
  {
    alert: 'PosthornClockSkewed',
    name: 'the clock is wrong by 45 seconds',
    series: { [skew]: '-45x120' },
    atMinutes: 10,
    raised: {
      labels: { severity: 'critical', instance: 'a' },
      summary: 'The clocks of a and its database differ by 45 s; at 60 s it stops sending',
    },
  },
  {
    alert: 'PosthornClockSkewed',
    name: 'the clock is corrected within two minutes',
    series: { [skew]: '0x8 45 45 0x120' },
    atMinutes: 10,
    raised: null,
  },
  {
    alert: 'PosthornMaintenanceStopped',
    name: 'the clock of the database is in doubt',
    series: { [stopped]: '1x120' },
    atMinutes: 10,
    raised: {
      labels: { severity: 'warning' },
      summary:
        "The database's clock may be wrong: Posthorn deletes nothing by age until you correct or confirm it",
    },
  },
  {
    alert: 'PosthornMaintenanceStopped',
    name: 'the clock of the database is confirmed within four minutes',
    series: { [stopped]: '0x8 1x3 0x120' },
    atMinutes: 12,
    raised: null,
  },
  {
    alert: 'PosthornDeliveriesLate',
    name: 'no dispatcher runs',
    series: { [age]: '0+60x120', [attempts('success')]: '900x120', [unsettled]: '0x120' },
    atMinutes: 10,
    raised: {
      labels: { severity: 'critical' },
      summary: 'Deliveries are late: one could have been sent 10m 0s ago',
    },
  },
  {
    alert: 'PosthornDeliveriesLate',
    name: 'a customer hangs, and 80,000 of its events wait',
    series: {
      [age]: '0 14 15 0.2x120',
      [heldBack('failing')]: '0 9000 10000x120',
      posthorn_deliveries_in_queue: '0+2000x120',
      [attempts('response_timeout')]: '0 50+8x120',
    },
    atMinutes: 60,
    raised: null,
  },
  {
    alert: 'PosthornNothingReached',
    name: 'the largest customer answers 500 to everything',
    series: {
      [attempts('status_not_2xx')]: '0+3000x120',
      'posthorn_deliveries_finished_total{instance="a",state="exhausted"}': '0+200x120',
    },
    atMinutes: 60,
    raised: null,
  },
  {
    alert: 'PosthornDeliveriesLate',
    name: 'a burst is sent within four minutes',
    series: { [age]: '0 60 120 180 90 0x120', [unsettled]: '900 900 900 900 20x120' },
    atMinutes: 5,
    raised: null,
  },
  {
    alert: 'PosthornDeliveriesLate',
    name: 'a disabled endpoint has a backlog',
    series: { [heldBack('disabled')]: '10000x120', posthorn_deliveries_in_queue: '900000+1000x120' },
    atMinutes: 60,
    raised: null,
  },
  {
    alert: 'PosthornDeliveriesLate',
    name: 'an endpoint with a rate limit has a backlog, and another drains one',
    series: { [heldBack('rate_limit')]: '9000x120', [heldBack('drain')]: '9000-100x90' },
    atMinutes: 60,
    raised: null,
  },
  {
    alert: 'PosthornMailWaits',
    name: 'the mail server takes nothing of one shard',
    series: {
      [waiting(0)]: '3x120',
      [handovers(0, 'again')]: '0+2x120',
      [waiting(1)]: '4x120',
      [handovers(1, 'handed_over')]: '0+1x120',
    },
    atMinutes: 40,
    raised: {
      labels: { severity: 'warning', shard: '0' },
      summary: 'Email for 3 recipients waits, and the mail server has taken none for 15 minutes',
    },
  },
  {
    alert: 'PosthornMailWaits',
    name: 'the mail server takes other mail',
    series: { [waiting(0)]: '3x120', [handovers(0, 'handed_over')]: '0+2x120' },
    atMinutes: 40,
    raised: null,
  },
  {
    alert: 'PosthornMailCertificateExpires',
    name: "the mail server's certificate expires in five days",
    series: { [certificate]: '435600x120' },
    atMinutes: 60,
    raised: {
      labels: { severity: 'warning' },
      summary: "The mail server's certificate expires in 5d 0h 0m 0s; then it gets no mail",
    },
  },
  {
    alert: 'PosthornMailCertificateExpires',
    name: "the mail server's certificate is renewed every 60 days, with 30 left",
    series: { [certificate]: '2592000x120' },
    atMinutes: 60,
    raised: null,
  },
  {
    alert: 'PosthornDatabaseSlow',
    name: 'the database is slow',
    series: { [roundTrip]: '0.4x120' },
    atMinutes: 30,
    raised: {
      labels: { severity: 'warning', instance: 'a' },
      summary: 'The database is slow: 400ms for one round trip',
    },
  },
  {
    alert: 'PosthornDatabaseSlow',
    name: 'the database is slow during a checkpoint',
    series: { [roundTrip]: '0.002x20 3x5 0.002x120' },
    atMinutes: 26,
    raised: null,
  },
  {
    alert: 'PosthornResultsUnsettled',
    name: 'the disk of the database is full, with few events',
    series: { [attempts('success')]: '900x120', [unsettled]: '0 12x120' },
    atMinutes: 15,
    raised: {
      labels: { severity: 'critical', instance: 'a' },
      summary: 'a has 12 results that the database has not stored',
    },
  },
  {
    alert: 'PosthornResultsUnsettled',
    name: 'the disk of the database is full, with many events',
    series: { [attempts('success')]: '900x120', [unsettled]: '0 4000x120' },
    atMinutes: 15,
    raised: {
      labels: { severity: 'critical', instance: 'a' },
      summary: 'a has 4000 results that the database has not stored',
    },
  },
  {
    alert: 'PosthornResultsUnsettled',
    name: 'the database stores results, and new ones wait at every look',
    series: { [unsettled]: '400x120' },
    atMinutes: 60,
    raised: null,
  },
  {
    alert: 'PosthornNothingReached',
    name: 'our own DNS fails',
    series: { [attempts('success')]: '900x120', [attempts('dns_failed')]: '0+300x120' },
    atMinutes: 60,
    raised: {
      labels: { severity: 'critical' },
      summary: '100% of all attempts reach no receiver: check DNS, the firewall and your own connection',
    },
  },
  {
    alert: 'PosthornNothingReached',
    name: 'the receivers of the largest customer are gone',
    series: { [attempts('connect_refused')]: '0+900x120' },
    atMinutes: 60,
    raised: null,
  },
]
