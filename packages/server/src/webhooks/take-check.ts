import type { Ctx } from '../context.ts'
import { AppError } from '../errors.ts'

const perMinute = 10

/**
 * Counts one check against the account's limit per minute, for all processes.
 * @throws AppError `rate_limited`
 */
export async function takeCheck(ctx: Pick<Ctx, 'db'>, accountId: string): Promise<void> {
  const taken = await ctx.db.query(
    `insert into endpoint_check as c (account_id, recent) values ($1, array[clock_timestamp()])
     on conflict (account_id) do update
     set recent = array(select t from unnest(c.recent) t where t > now() - interval '1 minute') || clock_timestamp()
     where (select count(*) from unnest(c.recent) t where t > now() - interval '1 minute') < $2
     returning 1 as one`,
    [accountId, perMinute],
  )
  if (taken.length > 0) return
  const [oldest] = await ctx.db.query<{ wait_seconds: number }>(
    `select ceil(extract(epoch from min(t) + interval '1 minute' - clock_timestamp()))::int as wait_seconds
     from endpoint_check c, unnest(c.recent) t
     where c.account_id = $1 and t > now() - interval '1 minute'`,
    [accountId],
  )
  const wait = String(Math.max(1, oldest?.wait_seconds ?? 1))
  throw new AppError(
    'rate_limited',
    `An account can run ${perMinute} checks per minute. Try again in ${wait} s.`,
    [],
    {
      'retry-after': wait,
      'ratelimit-limit': String(perMinute),
      'ratelimit-remaining': '0',
      'ratelimit-reset': wait,
    },
  )
}
