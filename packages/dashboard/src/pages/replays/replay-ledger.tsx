import type { Replay } from '@posthorn/contract'
import { TextLink } from '../../components/text-link.tsx'
import { formatCount } from '../../format/numbers.ts'
import type { DeliveryFilters } from '../../app/delivery-filters.ts'

/** The deliveries of a replay by state; the lines add up to the total. */
export function ReplayLedger({ replay }: { replay: Replay }) {
  const { total, done, delivered, failed_again: failed, pending, state } = replay
  const { webhook_id: endpoint, since, until } = replay
  const rows = (states: string): DeliveryFilters => ({ endpoint, since, until, state: states })
  const rest = Math.max(0, total - done)
  return (
    <dl className="grid max-w-120 grid-cols-[1fr_auto]">
      <Line name="Delivered" count={delivered} rows={rows('delivered')} />
      <Line name="Failed again; we retry them automatically" count={failed} rows={rows('failed,exhausted')} />
      <Line name="Queued, not sent yet" count={pending} rows={rows('pending')} />
      {state !== 'done' && <Line name={state === 'cancelled' ? 'Not sent' : 'Not yet queued'} count={rest} />}
      <dt className="border-t border-control py-1 font-medium">Total</dt>
      <dd className="border-t border-control py-1 pl-6 text-right font-medium">{formatCount(total)}</dd>
    </dl>
  )
}

function Line({ name, count, rows }: { name: string; count: number | null; rows?: DeliveryFilters }) {
  const text = formatCount(count)
  return (
    <>
      <dt className="border-t border-line py-1 text-ink-2">{name}</dt>
      <dd className="border-t border-line py-1 pl-6 text-right">
        {rows === undefined || count === null ? (
          text
        ) : (
          <TextLink to="/deliveries" search={rows}>
            {text}
          </TextLink>
        )}
      </dd>
    </>
  )
}
