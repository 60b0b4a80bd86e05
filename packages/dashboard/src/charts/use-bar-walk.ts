import { type KeyboardEvent, type PointerEvent, useState } from 'react'
import { type BarSelection, moveSelection } from './bar-selection.ts'

export interface BarWalk {
  readonly selection: BarSelection | null
  /** A touch keeps the selection, and a link opens it. */
  readonly isTouched: boolean
  readonly handlers: {
    readonly onKeyDown: (event: KeyboardEvent<HTMLElement>) => void
    readonly onPointerDown: (event: PointerEvent<HTMLElement>) => void
    readonly onPointerMove: (event: PointerEvent<HTMLElement>) => void
    readonly onPointerUp: (event: PointerEvent<HTMLElement>) => void
    readonly onPointerLeave: (event: PointerEvent<HTMLElement>) => void
  }
}

export interface BarWalkOptions {
  readonly count: number
  /** The bar at a distance in pixels from the left. */
  readonly barAt: (px: number) => number
  readonly onOpen: (selection: BarSelection) => void
}

/** Selection of bars by keys, mouse or finger. Enter or releasing the mouse opens the selected bars. */
export function useBarWalk({ count, barAt, onOpen }: BarWalkOptions): BarWalk {
  const [selection, setSelection] = useState<BarSelection | null>(null)
  const [isTouched, setIsTouched] = useState(false)
  const placeOf = (event: PointerEvent<HTMLElement>): number =>
    barAt(event.clientX - event.currentTarget.getBoundingClientRect().left)
  const isHeld = (event: PointerEvent<HTMLElement>): boolean =>
    event.currentTarget.hasPointerCapture(event.pointerId)
  return {
    selection,
    isTouched,
    handlers: {
      onKeyDown: event => {
        if (event.ctrlKey || event.metaKey || event.altKey) return
        if (event.key === 'Escape') return setSelection(null)
        if (event.key === 'Enter' && selection !== null) return onOpen(selection)
        const moved = moveSelection(selection, event, count)
        if (moved === null) return
        event.preventDefault()
        setIsTouched(false)
        setSelection(moved)
      },
      onPointerDown: event => {
        if (event.button !== 0 || count === 0) return
        event.currentTarget.setPointerCapture(event.pointerId)
        const at = placeOf(event)
        setIsTouched(event.pointerType !== 'mouse')
        setSelection({ at, anchor: at })
      },
      onPointerMove: event => {
        const at = placeOf(event)
        if (isHeld(event)) setSelection(before => (before === null ? null : { ...before, at }))
        else if (event.pointerType === 'mouse' && count > 0) setSelection({ at, anchor: at })
      },
      onPointerUp: event => {
        if (isHeld(event) && event.pointerType === 'mouse' && selection !== null) onOpen(selection)
      },
      onPointerLeave: event => {
        if (event.pointerType === 'mouse') setSelection(null)
      },
    },
  }
}
