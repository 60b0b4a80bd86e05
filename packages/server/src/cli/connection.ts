import { ConfigError, readClientSettings } from '../config.ts'
import { adminTokenPath, CredentialFileError, readAdminToken } from '../credentials.ts'
import { calledAs } from './called-as.ts'
import type { Option } from './command.ts'
import { CommandError, UsageError } from './command-error.ts'
import type { CommandInput } from './command-input.ts'
import { settingHint } from './setting-hint.ts'

/** A running service and the caller's credential. */
export interface Connection {
  readonly url: string
  readonly credential: string
  /** What messages call the credential. */
  readonly credentialName: string
}

/** The options of operator commands. */
export const operatorOptions = {
  url: { value: 'url', meaning: `The URL of the running service (${settingHint('POSTHORN_URL')}).` },
} as const satisfies Record<string, Option>

/** The options of customer commands. */
export const customerOptions = {
  ...operatorOptions,
  'api-key': { value: 'key', meaning: 'An API key of the account (default POSTHORN_API_KEY).' },
} as const satisfies Record<string, Option>

/** Where operator commands find their credential, for their help. */
export const operatorNote = `Needs the operator token: POSTHORN_ADMIN_TOKEN, or the file admin-token in the data directory\n(${settingHint('POSTHORN_DATA_DIR')}).`

/** Connects with the operator token. */
export function operatorConnection(input: CommandInput): Connection {
  const settings = readSettings()
  const path = adminTokenPath(settings.dataDir)
  return {
    url: serviceUrl(input, settings.url),
    credential: settings.adminToken ?? readToken(path),
    credentialName: settings.adminToken === null ? `the operator token in ${path}` : 'POSTHORN_ADMIN_TOKEN',
  }
}

/** Connects with an API key. */
export function customerConnection(input: CommandInput): Connection {
  const settings = readSettings()
  const credential = input.text('api-key') ?? settings.apiKey
  if (credential === null) {
    throw new CommandError(
      'api_key_missing',
      `no API key: set POSTHORN_API_KEY or add --api-key. The operator creates one with ${calledAs()} keys create`,
    )
  }
  if (!/^[\x21-\x7e]+$/.test(credential)) {
    throw new CommandError('api_key_malformed', 'the API key has a space or a line break: set it without')
  }
  return { url: serviceUrl(input, settings.url), credential, credentialName: 'the API key' }
}

/** The options of commands about the API keys of an account. */
export const keyOptions = {
  account: {
    value: 'id',
    meaning: 'The account, with the operator token. Without it, the account of your API key.',
  },
  ...customerOptions,
} as const satisfies Record<string, Option>

/** Where commands about API keys find their credential, for their help. */
export const keyNote = `With --account, the command needs the operator token: POSTHORN_ADMIN_TOKEN, or the file admin-token in the data\ndirectory (${settingHint('POSTHORN_DATA_DIR')}). Without it, it uses your API key.`

/** Connects with an API key if there is one, otherwise with the operator token. */
export function reporterConnection(input: CommandInput): Connection {
  const hasKey = input.text('api-key') !== undefined || readSettings().apiKey !== null
  return hasKey ? customerConnection(input) : operatorConnection(input)
}

function readSettings(): ReturnType<typeof readClientSettings> {
  try {
    return readClientSettings()
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    throw new CommandError('setting_invalid', error.message, { cause: error })
  }
}

function serviceUrl(input: CommandInput, configured: string): string {
  const url = input.text('url') ?? configured
  if (/^https?:$/.test(URL.parse(url)?.protocol ?? '')) return url.replace(/\/+$/, '')
  throw new UsageError(`--url must be an http or https URL, not "${url}"`)
}

function readToken(path: string): string {
  try {
    return readAdminToken(path)
  } catch (error) {
    if (error instanceof CredentialFileError) {
      throw new CommandError('admin_token_unusable', error.message, { cause: error })
    }
    throw new CommandError(
      'admin_token_missing',
      `no operator token (cannot read ${path}): set POSTHORN_ADMIN_TOKEN, or set POSTHORN_DATA_DIR to the data directory of the service`,
      { cause: error },
    )
  }
}
