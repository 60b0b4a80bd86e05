import type { SigningKey } from '@posthorn/contract'
import { useEffect } from 'react'
import { announce } from '../../app/announce.ts'
import { useNowMs } from '../../app/clock.ts'
import { formatSpan } from '../../format/numbers.ts'
import { proofOf } from './rotation.ts'

const marksMax = 12

/** Whether the receiver accepts a replacement: a mark for each of the latest attempts, and the same in words. */
export function ProofMarks({ replacement }: { replacement: SigningKey }) {
  const { attempts, verified } = replacement.recent ?? { attempts: 0, verified: 0 }
  const nowMs = useNowMs()
  const isProven = proofOf(replacement) === 'all'
  const words = `Verified with the new key: ${verified} of the last ${attempts}`
  useEffect(() => {
    if (isProven) announce(words)
    // only when it becomes proven, because the numbers keep changing
    // oxlint-disable-next-line react/exhaustive-deps
  }, [isProven])
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <span aria-hidden className="flex gap-0.5">
        {Array.from({ length: marksMax }, (_, place) => (
          <span
            key={place}
            className={`h-5 w-2 rounded-[2px] border ${markLook(place, verified, attempts)}`}
          />
        ))}
      </span>
      {attempts === 0 ? (
        <span>Nothing was sent since the replacement was created.</span>
      ) : (
        <span>
          <span className={isProven ? 'font-medium text-delivered' : ''}>{words}</span>
          {replacement.last_verified_at !== null && (
            <span className="text-ink-3">
              {' '}
              · last {formatSpan(Math.max(0, nowMs - Date.parse(replacement.last_verified_at)))} ago
            </span>
          )}
        </span>
      )}
    </div>
  )
}

function markLook(place: number, verified: number, attempts: number): string {
  if (place < verified) return 'border-c-delivered bg-c-delivered'
  return place < attempts ? 'border-failed bg-failed-tint' : 'border-dashed border-control'
}
