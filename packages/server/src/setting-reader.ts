import { splitHosts } from './db/split-hosts.ts'
import type { SettingName } from './settings.ts'

/** Reads one setting each; the empty string counts as unset. */
export class SettingReader {
  readonly #env: Environment

  constructor(env: Environment) {
    this.#env = isServicePort(env) ? { ...env, POSTHORN_PORT: undefined } : env
  }

  text(name: SettingName): string | null {
    const value = this.#env[name]?.trim()
    // what was no UTF-8 arrives here as U+FFFD; the value may be a secret, so the error does not repeat it
    if (value?.includes('\ufffd')) throw new ConfigError(`${name} must be UTF-8`)
    return value === undefined || value === '' ? null : value
  }

  number(name: SettingName, fallback: number, min: number): number {
    const text = this.text(name)
    if (text === null) return fallback
    const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN
    if (!(value >= min)) throw new ConfigError(`${name} must be a number of at least ${min}, not "${text}"`)
    return value
  }

  whole(name: SettingName, fallback: number, min: number, max: number): number {
    const value = this.number(name, fallback, 0)
    if (!Number.isInteger(value) || value < min || value > max) {
      throw new ConfigError(`${name} must be a whole number from ${min} to ${max}, not "${value}"`)
    }
    return value
  }

  oneOf<Value extends string>(name: SettingName, values: readonly [Value, ...Value[]]): Value {
    const text = this.text(name)
    if (text === null) return values[0]
    const found = values.find(value => value === text)
    if (found === undefined)
      throw new ConfigError(`${name} must be one of ${values.join(', ')}, not "${text}"`)
    return found
  }

  url(name: SettingName): string | null {
    const text = this.text(name)
    if (text === null) return null
    if (!/^https?:$/.test(URL.parse(text)?.protocol ?? '')) {
      throw new ConfigError(`${name} must be an http or https URL, not "${text}"`)
    }
    return text.replace(/\/+$/, '')
  }

  /** The value may hold a password, so the error does not repeat it. */
  postgresUrl(name: 'DATABASE_URL'): string | null {
    return this.parsed(name, text => {
      if (!/^postgres(ql)?:\/\//.test(text))
        throw new Error('it must begin with postgres:// or postgresql://')
      splitHosts(text)
      return text
    })
  }

  /** A secret that callers send in a header: what no header can carry is refused, and the error does not repeat it. */
  secret(name: SettingName, lengthMin: number): string | null {
    const text = this.text(name)
    if (text === null) return null
    const fault = secretFault(text, lengthMin)
    if (fault !== null) throw new ConfigError(`${name} must ${fault}`)
    return text
  }

  parsed<Value>(name: SettingName, parse: (text: string) => Value): Value | null {
    const text = this.text(name)
    if (text === null) return null
    try {
      return parse(text)
    } catch (error) {
      throw new ConfigError(`${name}: ${error instanceof Error ? error.message : String(error)}`, {
        cause: error,
      })
    }
  }
}

/** What is wrong with a secret that callers send in a header, as in "it must …"; null when it can be used. */
export function secretFault(text: string, lengthMin: number): string | null {
  // what was no UTF-8 arrives here as U+FFFD
  if (/[\p{Cc}\ufffd]/u.test(text)) {
    return 'be UTF-8 without control characters: no header can carry those'
  }
  return text.length < lengthMin ? `have at least ${lengthMin} characters` : null
}

/** A setting is unknown or malformed; the message is one line that names it. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

export type Environment = Record<string, string | undefined>

/** Kubernetes writes a port as `tcp://…` when it means a service of that name, not a setting. */
export function isServicePort(env: Environment): boolean {
  return env['POSTHORN_PORT']?.startsWith('tcp://') === true
}
