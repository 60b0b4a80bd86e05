import type { MergeStatement } from './merge-statistics.ts'
import { domainsMax } from './outcome-counts.ts'

/** Merges rows of `outcome_stat`. It keeps the largest domains of each interval, the same ones for all types. */
export const mergeOutcomes: MergeStatement = chosen => `
with old as (
  delete from outcome_stat where (account_id, at, id) in (${chosen('outcome_stat')})
  returning *, date_bin($2::int * interval '1 second', at, 'epoch') as slot
), totals as (
  select account_id, slot, type, reason, sum(count) as count from old group by account_id, slot, type, reason
), named as (
  select account_id, slot, type, reason, d.domain, sum(d.n) as n
  from old cross join lateral unnest(domains, domain_counts) as d (domain, n)
  group by account_id, slot, type, reason, d.domain
), largest as (
  select account_id, slot, domain from (
    select account_id, slot, domain,
      row_number() over (partition by account_id, slot order by sum(n) desc, domain) as place
    from named group by account_id, slot, domain
  ) ranked
  where place <= ${domainsMax}
), kept as (
  select account_id, slot, type, reason, array_agg(domain order by n desc, domain) as domains,
    array_agg(n::bigint order by n desc, domain) as domain_counts
  from named join largest using (account_id, slot, domain)
  group by account_id, slot, type, reason
), added as (
  insert into outcome_stat (account_id, at, width_seconds, type, reason, count, domains, domain_counts)
  select account_id, slot, $2::int, type, reason, count, coalesce(domains, '{}'), coalesce(domain_counts, '{}')
  from totals left join kept using (account_id, slot, type, reason)
)
select count(*) as merged from old`
