import { useSyncExternalStore } from 'react'

/**
 * The shared clock for relative times; it ticks every second while a component uses it.
 * @param everyMs a longer interval renders less often, which matters in lists of thousands of rows
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
