import { type SettingName, settings } from '../settings.ts'

/** A setting as the help names it, with its default. */
export function settingHint(name: SettingName): string {
  return `${name}, default ${settings[name].unset}`
}
