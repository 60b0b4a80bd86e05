import type { SystemHealth } from '@posthorn/contract'
import { type MailState, toMailHealth } from '../domain/waiting-mail.ts'
import type { ShardReply } from './ask-all-shards.ts'

/** How many of the worst endpoints an answer shows. */
const worstMax = 10

/**
 * Merges the health of the shards that are up: rates and counts are sums, delays the greatest. Maintenance is that of the
 * first shard on which it is stopped.
 *
 * @returns null if no shard is up
 */
export function mergeHealth(replies: readonly ShardReply[]): SystemHealth | null {
  const all = replies.flatMap(({ answer }) => (answer === null ? [] : [answer.body as SystemHealth]))
  const [first] = all
  if (first === undefined) return null
  const sum = (of: (health: SystemHealth) => number): number =>
    Math.round(all.reduce((total, health) => total + of(health), 0) * 100) / 100
  const greatest = (of: (health: SystemHealth) => number): number => Math.max(...all.map(of))
  const skews = all.map(health => health.clock_skew_ms)
  return {
    accepted_per_second: sum(health => health.accepted_per_second),
    delivered_per_second: sum(health => health.delivered_per_second),
    failed_per_second: sum(health => health.failed_per_second),
    in_flight: sum(health => health.in_flight),
    held: sum(health => health.held),
    unsettled: sum(health => health.unsettled),
    waiting: sum(health => health.waiting),
    oldest_due_seconds: greatest(health => health.oldest_due_seconds),
    mail: toMailHealth(all.flatMap(mailOf)),
    database_ms: greatest(health => health.database_ms),
    clock_skew_ms: skews.reduce((worst, skew) => (Math.abs(skew) > Math.abs(worst) ? skew : worst)),
    maintenance: (all.find(health => health.maintenance.state === 'stopped') ?? first).maintenance,
    disabled_endpoints: sum(health => health.disabled_endpoints),
    failing_endpoints: sum(health => health.failing_endpoints),
    worst: worstOf(all),
    shards: replies.map(shardOf),
  }
}

/** A shard of the release before says nothing about mail, or not when the certificate expires. */
function mailOf({ mail }: Partial<SystemHealth>): MailState[] {
  if (mail === undefined) return []
  const expiresAt: string | null | undefined = mail.certificate_expires_at
  return [
    {
      waiting: mail.waiting,
      oldestSeconds: mail.oldest_seconds,
      lastReply: mail.last_reply,
      certificateExpiresAtMs: typeof expiresAt === 'string' ? Date.parse(expiresAt) : null,
    },
  ]
}

type Shard = NonNullable<SystemHealth['shards']>[number]

function shardOf({ shard, answer, problem }: ShardReply): Shard {
  const health = answer === null ? null : (answer.body as SystemHealth)
  return {
    number: shard,
    state: health === null ? 'down' : 'up',
    problem,
    accepted_per_second: health?.accepted_per_second ?? null,
    delivered_per_second: health?.delivered_per_second ?? null,
    waiting: health?.waiting ?? null,
    oldest_due_seconds: health?.oldest_due_seconds ?? null,
    database_ms: health?.database_ms ?? null,
  }
}

/** Longest first, as each shard orders them. */
function worstOf(all: readonly SystemHealth[]): SystemHealth['worst'] {
  const since = ({ failing_since }: SystemHealth['worst'][number]): string => failing_since ?? '9999'
  return all
    .flatMap(({ worst }) => worst)
    .sort((a, b) => (since(a) < since(b) ? -1 : since(a) > since(b) ? 1 : 0))
    .slice(0, worstMax)
}
