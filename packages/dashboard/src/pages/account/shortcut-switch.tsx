import { prefer, usePreferences } from '../../app/preferences.ts'

/** Turns single-key shortcuts on and off, because they disturb people who dictate (WCAG 2.1.4). */
export function ShortcutSwitch() {
  const { shortcuts } = usePreferences()
  return (
    <label className="inline-flex cursor-pointer items-center gap-2 pointer-coarse:min-h-11">
      <input
        type="checkbox"
        role="switch"
        aria-checked={shortcuts}
        checked={shortcuts}
        onChange={event => prefer({ shortcuts: event.target.checked })}
        className="size-4 accent-(--brass)"
      />
      Shortcuts {shortcuts ? 'on' : 'off'}
    </label>
  )
}
