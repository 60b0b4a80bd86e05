import { useEffect, useState } from 'react'
import { type Judgement, judgePasted } from './rules/judge-pasted.ts'
import type { Pasted } from './rules/pasted.ts'

/** The result of every rule, updated on every change; null before the first result. */
export function useJudgement({ header, secrets, body, nowMs }: Pasted): Judgement | null {
  const [judgement, setJudgement] = useState<Judgement | null>(null)
  useEffect(() => {
    let isWanted = true
    void judgePasted({ header, secrets, body, nowMs }).then(result => {
      if (isWanted) setJudgement(result)
    })
    return () => {
      isWanted = false
    }
  }, [header, secrets, body, nowMs])
  return judgement
}
