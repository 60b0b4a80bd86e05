import { type SettingName, settings } from '../settings.ts'

/** The name and the default of a setting, for the help. */
export function settingHint(name: SettingName): string {
  return `${name}, default ${settings[name].unset}`
}
