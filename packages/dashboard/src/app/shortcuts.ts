import { useEffect } from 'react'
import { preferences } from './preferences.ts'

/** The longest pause between the two keys of a sequence. */
const secondKeyMs = 1_500

/**
 * Handles single keys and sequences such as `g o`, unless the reader types or has turned shortcuts off (WCAG 2.1.4).
 */
export function useShortcuts(actions: Readonly<Record<string, () => void>>): void {
  useEffect(() => {
    let first = { key: '', atMs: 0 }
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || !preferences().shortcuts) return
      if (isTyping(event.target) || document.querySelector('dialog[open]') !== null) return
      const isSecond = first.key !== '' && event.timeStamp - first.atMs < secondKeyMs
      const name = isSecond ? `${first.key} ${event.key}` : event.key
      first = { key: beginsOne(actions, event.key) ? event.key : '', atMs: event.timeStamp }
      const action = actions[name]
      if (action === undefined) return
      event.preventDefault()
      first = { key: '', atMs: 0 }
      action()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [actions])
}

function beginsOne(actions: Readonly<Record<string, () => void>>, key: string): boolean {
  return Object.keys(actions).some(name => name.startsWith(`${key} `))
}

function isTyping(target: EventTarget | null): boolean {
  const places = 'input, textarea, select, [contenteditable], [role=menu]'
  return target instanceof HTMLElement && target.closest(places) !== null
}
