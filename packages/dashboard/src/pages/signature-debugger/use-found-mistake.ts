import { useEffect, useMemo, useState } from 'react'
import { type FoundMistakes, findMistake } from './mistakes/find-mistake.ts'
import type { Pasted } from './rules/pasted.ts'

/** The pause in typing before a search, because each search computes hundreds of signatures. */
const pauseMs = 150

type Question = Omit<Pasted, 'nowMs'>

/** The mistake that explains why nothing matches; null: none. It searches while `isWanted`. */
export function useFoundMistake(
  { header, secrets, body }: Question,
  isWanted: boolean,
): FoundMistakes | null | 'searching' {
  const question = useMemo(() => ({ header, secrets, body }), [header, secrets, body])
  const [answer, setAnswer] = useState<{ to: Question; found: FoundMistakes | null } | null>(null)
  useEffect(() => {
    if (!isWanted) return
    const outdated = new AbortController()
    const timer = setTimeout(() => {
      findMistake(question, outdated.signal).then(
        found => setAnswer({ to: question, found }),
        // only an aborted search fails
        () => {},
      )
    }, pauseMs)
    return () => {
      clearTimeout(timer)
      outdated.abort()
    }
  }, [question, isWanted])
  return answer?.to === question ? answer.found : 'searching'
}
