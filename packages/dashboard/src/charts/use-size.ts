import { type RefObject, useLayoutEffect, useRef, useState } from 'react'

export interface SizePx {
  readonly widthPx: number
  readonly heightPx: number
}

/** The current size of an element, updated as it changes; null before it is known. */
export function useSize<E extends HTMLElement>(): [RefObject<E | null>, SizePx | null] {
  const ref = useRef<E>(null)
  const [size, setSize] = useState<SizePx | null>(null)
  useLayoutEffect(() => {
    const element = ref.current
    if (element === null) return
    const read = (): void => setSize({ widthPx: element.clientWidth, heightPx: element.clientHeight })
    read()
    const observer = new ResizeObserver(read)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [ref, size]
}
