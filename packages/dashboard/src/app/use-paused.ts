import { useEffect, useState } from 'react'

/** The latest value once it has not changed for a moment; the first value at once. */
export function usePaused(value: string, pauseMs = 400): string {
  const [paused, setPaused] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setPaused(value), pauseMs)
    return () => clearTimeout(timer)
  }, [value, pauseMs])
  return paused
}
