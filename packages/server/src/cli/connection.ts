import { ConfigError, readClientSettings } from '../config.ts'
import { adminTokenPath, CredentialFileError, readAdminToken } from '../credentials.ts'
import { calledAs } from './called-as.ts'
import type { Option } from './command.ts'
import { CommandError, UsageError } from './command-error.ts'
import type { CommandInput } from './command-input.ts'
import { settingHint } from './setting-hint.ts'

/** A running service and who is calling it. */
export interface Connection {
  readonly url: string
  readonly credential: string
  /** What the credential is, for messages. */
  readonly credentialName: string
}

/** What commands of the operator take. */
export const operatorOptions = {
  url: { value: 'url', meaning: `The running service (${settingHint('POSTHORN_URL')}).` },
} as const satisfies Record<string, Option>

/** What commands of a customer take. */
export const customerOptions = {
  ...operatorOptions,
  'api-key': { value: 'key', meaning: 'An API key of the account (default POSTHORN_API_KEY).' },
} as const satisfies Record<string, Option>

/** Says in the help of operator commands where their credential comes from. */
export const operatorNote = `Needs the operator's token: POSTHORN_ADMIN_TOKEN, else the file admin-token in the data directory\n(${settingHint('POSTHORN_DATA_DIR')}), which the first start makes.`

/** The service as the operator sees it. */
export function operatorConnection(input: CommandInput): Connection {
  const settings = readSettings()
  const path = adminTokenPath(settings.dataDir)
  return {
    url: serviceUrl(input, settings.url),
    credential: settings.adminToken ?? readToken(path),
    credentialName: settings.adminToken === null ? `the operator's token in ${path}` : 'POSTHORN_ADMIN_TOKEN',
  }
}

/** The service as one account sees it. */
export function customerConnection(input: CommandInput): Connection {
  const settings = readSettings()
  const credential = input.text('api-key') ?? settings.apiKey
  if (credential === null) {
    throw new CommandError(
      'api_key_missing',
      `no API key: set POSTHORN_API_KEY or give --api-key; the operator makes one with ${calledAs()} keys create`,
    )
  }
  return { url: serviceUrl(input, settings.url), credential, credentialName: 'the API key' }
}

/** The service as whoever reports to it sees it: by an API key if there is one, else as the operator. */
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
      `no operator's token: set POSTHORN_ADMIN_TOKEN, or POSTHORN_DATA_DIR to the service's data directory (${path} cannot be read)`,
      { cause: error },
    )
  }
}
