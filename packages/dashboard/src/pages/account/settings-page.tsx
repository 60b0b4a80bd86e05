import { useNowMs } from '../../app/clock.ts'
import { type Preferences, prefer, usePreferences } from '../../app/preferences.ts'
import { usePageTitle } from '../../app/page-title.ts'
import { useSession } from '../../app/session.ts'
import { PageHeader } from '../../components/page-header.tsx'
import { Segments } from '../../components/segments.tsx'
import { ShortcutList } from '../../components/shortcut-list.tsx'
import { zoneName } from '../../format/times.ts'
import { BrandingSettings } from './branding-settings.tsx'
import { NoticeEmailSettings } from './notice-email-settings.tsx'
import { NoticeSettings } from './notice-settings.tsx'
import { SettingRow } from './setting-row.tsx'
import { ShortcutSwitch } from './shortcut-switch.tsx'

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
          <summary className="w-fit text-link underline underline-offset-2">All shortcuts</summary>
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
