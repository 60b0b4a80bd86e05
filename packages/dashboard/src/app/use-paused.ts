import { useEffect, useState } from 'react'

/** What was chosen or typed last, once that has stopped for a moment; the first value at once. */
export function usePaused(value: string, pauseMs = 400): string {
  const [paused, setPaused] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setPaused(value), pauseMs)
    return () => clearTimeout(timer)
  }, [value, pauseMs])
  return paused
}
