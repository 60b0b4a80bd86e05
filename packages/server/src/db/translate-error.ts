import { DatabaseReadOnlyError, DatabaseUnavailableError } from './database.ts'
import { explainPooler, PoolerError } from './refuse-pooler.ts'

/**
 * Turns errors that mean "the server is unreachable, or cannot do it now" into DatabaseUnavailableError. Other errors stay
 * as they are.
 */
export function translateError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const explained = explainPooler(error)
  if (explained instanceof PoolerError) return explained
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (code === readOnlyCode) {
    return new DatabaseReadOnlyError(`the database is read-only: ${error.message}`, { cause: error })
  }
  return isUnavailable(code, error.message)
    ? new DatabaseUnavailableError(`the database is unavailable: ${error.message}`, { cause: error })
    : error
}

/** read_only_sql_transaction */
const readOnlyCode = '25006'

const unavailableCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT', // a Unix socket that is not there
  '57P01', // admin_shutdown
  '57P02', // crash_shutdown
  '57P03', // cannot_connect_now
  '57P05', // idle_session_timeout
  '25P03', // idle_in_transaction_session_timeout
  '25P04', // transaction_timeout
  '53100', // disk_full
  '53200', // out_of_memory
  '53300', // too_many_connections
  '40001', // serialization_failure
  '40P01', // deadlock_detected
  '57014', // query_canceled, by the statement timeout too
])

function isUnavailable(code: string, message: string): boolean {
  return (
    unavailableCodes.has(code) ||
    code.startsWith('08') ||
    /^(Connection terminated|Query read timeout|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed|Cannot use a pool after calling end)/.test(
      message,
    )
  )
}
