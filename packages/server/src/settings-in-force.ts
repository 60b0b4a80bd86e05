import type { Setting } from './define-setting.ts'
import { type Environment, settingText } from './read-settings.ts'
import { serviceSettingNames, serviceSettings } from './settings.ts'

/** A setting as the operator may see it. */
export interface SettingInForce {
  name: string
  /** Secrets are shown as `***`. */
  value: string
  source: 'default' | 'environment' | 'file'
}

/** All settings of the service with the source of each value. */
export function settingsInForce(env: Environment): SettingInForce[] {
  // without DATABASE_URL, they come from the data directory
  const inFiles =
    settingText(env, 'DATABASE_URL') === undefined ? ['POSTHORN_ADMIN_TOKEN', 'POSTHORN_MASTER_KEYS'] : []
  return serviceSettingNames.map(name => {
    const { unset, secret }: Setting = serviceSettings[name]
    const text = settingText(env, name)
    if (text !== undefined) return { name, value: secret === true ? '***' : text, source: 'environment' }
    return inFiles.includes(name)
      ? { name, value: '***', source: 'file' }
      : { name, value: unset, source: 'default' }
  })
}
