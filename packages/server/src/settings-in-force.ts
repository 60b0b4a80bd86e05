import { type SettingName, settings } from './settings.ts'

/** A setting as the operator may see it. */
export interface SettingInForce {
  name: string
  /** Secrets read `***`. */
  value: string
  source: 'default' | 'environment' | 'file'
}

/**
 * Every setting of the service and where its value came from.
 * @param given the text of what is set; null for what is not
 * @param inFiles secrets that this process reads from, or made in, its data directory
 */
export function settingsInForce(
  given: (name: SettingName) => string | null,
  inFiles: ReadonlySet<SettingName>,
): SettingInForce[] {
  const names = Object.keys(settings) as SettingName[]
  return names
    .filter(name => settings[name].of === 'service')
    .map(name => {
      const { defaultText, secret } = settings[name]
      const text = given(name)
      if (text !== null) return { name, value: secret ? '***' : text, source: 'environment' }
      return inFiles.has(name)
        ? { name, value: '***', source: 'file' }
        : { name, value: defaultText, source: 'default' }
    })
}
