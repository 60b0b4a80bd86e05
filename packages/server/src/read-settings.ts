import type { Setting } from './define-setting.ts'
import { type Fields, type SettingName, settings } from './settings.ts'

/**
 * Reads these settings. An empty setting counts as unset.
 * @throws ConfigError for the first malformed setting
 */
export function readSettings<Name extends SettingName>(
  env: Environment,
  names: readonly Name[],
): Fields<Name> {
  const fields = names.map(name => {
    const { field, schema }: Setting = settings[name]
    const { data, error } = schema.safeParse(settingText(env, name))
    if (error !== undefined) throw new ConfigError(`${name}${error.issues[0]?.message}`)
    return [field, data]
  })
  // each field has the type of its own schema
  return Object.fromEntries(fields) as Fields<Name>
}

/** The text of a setting; undefined if it is not set. */
export function settingText(env: Environment, name: SettingName): string | undefined {
  const text = env[name]?.trim()
  if (text === undefined || text === '' || isServiceLink(name, text)) return undefined
  // Node turns invalid UTF-8 into U+FFFD; the error does not show the value, because it may be a secret
  if (text.includes('\ufffd')) throw new ConfigError(`${name} must be UTF-8`)
  return text
}

/** Kubernetes sets such variables in every pod of a namespace that has a service named posthorn. */
export function isServiceLink(name: string, text = ''): boolean {
  return (
    /^POSTHORN_(SERVICE_.+|PORT_.+)$/.test(name) || (name === 'POSTHORN_PORT' && text.startsWith('tcp://'))
  )
}

/** A setting is unknown or malformed; the message is one line that names it. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

export type Environment = Record<string, string | undefined>
