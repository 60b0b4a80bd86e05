import { useSyncExternalStore } from 'react'
import type { Zone } from '../format/times.ts'

/** The reader's choices for this browser. */
export interface Preferences {
  readonly theme: 'auto' | 'light' | 'dark'
  readonly zone: Zone
  readonly density: 'normal' | 'compact'
  readonly shortcuts: boolean
}

const defaults: Preferences = { theme: 'auto', zone: 'local', density: 'normal', shortcuts: true }
const listeners = new Set<() => void>()
let current: Preferences | undefined

/** The choices, updated as they change. */
export function usePreferences(): Preferences {
  return useSyncExternalStore(subscribe, preferences)
}

/** The current choices. */
export function preferences(): Preferences {
  current ??= read()
  return current
}

/** Applies choices at once, and stores them if the browser allows it. */
export function prefer(chosen: Partial<Preferences>): void {
  current = { ...preferences(), ...chosen }
  for (const [name, value] of Object.entries(chosen)) store(name, String(value))
  if (chosen.theme !== undefined) showTheme(chosen.theme)
  for (const listener of listeners) listener()
}

function showTheme(theme: Preferences['theme']): void {
  if (theme === 'auto') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function read(): Preferences {
  const theme = stored('theme')
  return {
    theme: theme === 'light' || theme === 'dark' ? theme : defaults.theme,
    zone: stored('zone') === 'utc' ? 'utc' : defaults.zone,
    density: stored('density') === 'compact' ? 'compact' : defaults.density,
    shortcuts: stored('shortcuts') !== 'false',
  }
}

function stored(name: string): string | null {
  try {
    return localStorage.getItem(`posthorn.${name}`)
  } catch {
    return null
  }
}

function store(name: string, value: string): void {
  try {
    localStorage.setItem(`posthorn.${name}`, value)
  } catch {
    // a frame may be denied storage: the choice holds for this visit
  }
}
