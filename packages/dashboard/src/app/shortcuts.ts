import { useEffect } from 'react'
import { preferences } from './preferences.ts'

/** Acts on single keys, unless somebody types or has turned shortcuts off (WCAG 2.1.4). */
export function useShortcuts(actions: Readonly<Record<string, () => void>>): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || !preferences().shortcuts) return
      if (isTyping(event.target) || document.querySelector('dialog[open]') !== null) return
      const action = actions[event.key]
      if (action === undefined) return
      event.preventDefault()
      action()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [actions])
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null
  )
}
