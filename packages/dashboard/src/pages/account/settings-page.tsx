import type { ReactNode } from 'react'
import { useNowMs } from '../../app/clock.ts'
import { usePageTitle } from '../../app/page-title.ts'
import { type Preferences, prefer, usePreferences } from '../../app/preferences.ts'
import { useSession } from '../../app/session.ts'
import { PageHeader } from '../../components/page-header.tsx'
import { Segments } from '../../components/segments.tsx'
import { ShortcutList } from '../../components/shortcut-list.tsx'
import { zoneName } from '../../format/times.ts'
import { BrandingSettings } from './branding-settings.tsx'
import { NoticeEmailSettings } from './notice-email-settings.tsx'
import { NoticeSettings } from './notice-settings.tsx'

const themes: readonly { value: Preferences['theme']; label: string }[] = [
  { value: 'auto', label: 'As the system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
]
const densities: readonly { value: Preferences['density']; label: string }[] = [
  { value: 'normal', label: 'Normal' },
  { value: 'compact', label: 'Compact' },
]

/** Display settings of this browser, and notices of the account. */
export function SettingsPage() {
  const { kind } = useSession()
  const { theme, zone, density } = usePreferences()
  const nowMs = useNowMs()
  usePageTitle('Settings')
  const zones = [
    { value: 'local', label: `Local, ${zoneName('local', new Date(nowMs))}` },
    { value: 'utc', label: 'UTC' },
  ] as const
  return (
    <>
      <PageHeader title="Settings" />
      <section aria-labelledby="this-browser" className="max-w-180">
        <h2 id="this-browser">In this browser</h2>
        <SettingRow name="Times" hint="The time zone of all pages, also if somebody sent you the link.">
          <Segments
            label="Time zone"
            value={zone}
            options={zones}
            onChange={chosen => prefer({ zone: chosen })}
          />
        </SettingRow>
        <SettingRow name="Theme">
          <Segments
            label="Theme"
            value={theme}
            options={themes}
            onChange={chosen => prefer({ theme: chosen })}
          />
        </SettingRow>
        <SettingRow name="Rows" hint="On a touch screen, rows are always tall.">
          <Segments
            label="Row height"
            value={density}
            options={densities}
            onChange={chosen => prefer({ density: chosen })}
          />
        </SettingRow>
        <SettingRow name="Shortcuts" hint="Single-key shortcuts that work while you are not typing.">
          <ShortcutSwitch />
        </SettingRow>
        <details className="border-b border-line py-3">
          <summary className="w-fit text-link">All shortcuts</summary>
          <div className="mt-3">
            <ShortcutList />
          </div>
        </details>
      </section>
      {kind === 'account' && <BrandingSettings />}
      {kind === 'account' && <NoticeSettings />}
      {kind === 'account' && <NoticeEmailSettings />}
    </>
  )
}

interface SettingRowProps {
  readonly name: string
  readonly hint?: string
  readonly children: ReactNode
}

/** One setting: its name on the left, its choices on the right. */
function SettingRow({ name, hint, children }: SettingRowProps) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-b border-line py-3">
      <div>
        <div className="font-medium">{name}</div>
        {hint !== undefined && <div className="text-label text-ink-3">{hint}</div>}
      </div>
      {children}
    </div>
  )
}

/** Turns single-key shortcuts on and off, because they disturb people who dictate (WCAG 2.1.4). */
function ShortcutSwitch() {
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
