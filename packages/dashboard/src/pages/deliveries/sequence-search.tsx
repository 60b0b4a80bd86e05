import { useQuery } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useApi } from '../../api/api-context.ts'
import { useSession } from '../../app/session.ts'
import { Button } from '../../components/button.tsx'
import { Problem } from '../../components/problem.tsx'
import { formatCount } from '../../format/numbers.ts'
import { FoundBySequence } from './found-by-sequence.tsx'

/** Finds the delivery whose sequence number is missing at a receiver, and can send it again. */
export function SequenceSearch({ endpointId }: { endpointId: string }) {
  const { call } = useApi()
  const { retention_days: days } = useSession()
  const [text, setText] = useState('')
  const [asked, setAsked] = useState<number | null>(null)
  const { data, error, refetch } = useQuery({
    queryKey: ['deliveries', 'sequence', endpointId, asked],
    queryFn: async ({ signal }) => {
      const query = { after_sequence: (asked ?? 1) - 1, limit: 1 }
      const { data: found } = await call('listDeliveries', { params: { id: endpointId }, query, signal })
      return found.find(({ sequence }) => sequence === asked) ?? null
    },
    enabled: asked !== null,
  })
  const search = (event: FormEvent): void => {
    event.preventDefault()
    const number = Number(/^\s*#?\s*([\d,]{1,19})\s*$/.exec(text)?.[1]?.replaceAll(',', '') ?? '')
    setAsked(number > 0 ? number : null)
  }
  return (
    <>
      <form
        role="search"
        aria-label="Find by number"
        onSubmit={search}
        className="flex items-center gap-1 wide:ml-auto"
      >
        <input
          value={text}
          aria-label="Sequence number"
          placeholder="Find #1042"
          inputMode="numeric"
          autoComplete="off"
          onChange={event => setText(event.target.value)}
          className="w-28 rounded border border-control bg-surface px-2 py-1 pointer-coarse:min-h-11"
        />
        <Button
          type="submit"
          aria-label="Find this sequence number"
          icon={<Search size={16} aria-hidden />}
        />
      </form>
      {asked !== null && (
        <div role="status" className="basis-full">
          {error !== null && <Problem error={error} onRetry={() => void refetch()} />}
          {data === null && (
            <p>
              This endpoint has no delivery #{formatCount(asked)} from the last {days} days. Older ones are
              deleted.
            </p>
          )}
          {data !== null && data !== undefined && <FoundBySequence key={data.id} found={data} />}
        </div>
      )}
    </>
  )
}
