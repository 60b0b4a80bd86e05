import { useSyncExternalStore } from 'react'

/**
 * One clock for all that is shown relative to now: it ticks every second while something looks at it.
 * @param everyMs whoever is content with less is drawn anew as seldom: a list has thousands of times
 */
export function useNowMs(everyMs = 1): number {
  return useSyncExternalStore(subscribe, () => nowMs - (nowMs % everyMs))
}

const listeners = new Set<() => void>()
let nowMs = Date.now()
let timer: ReturnType<typeof setInterval> | undefined

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  nowMs = Date.now()
  timer ??= setInterval(tick, 1_000)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

function tick(): void {
  if (document.hidden) return
  nowMs = Date.now()
  for (const listener of listeners) listener()
}
