import { DatabaseUnavailableError } from '../db/database.ts'

/** Why the service or its database did not open, in one line, with advice if the cause is known. */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error && typeof error.code === 'string' ? error.code : null
  if (error instanceof DatabaseUnavailableError) {
    // this message gives the reason for each host already
    if (error.message.startsWith('no host in DATABASE_URL')) return error.message
    return `${error.message}. Check that the server in DATABASE_URL is running`
  }
  if (code === 'EADDRINUSE') {
    return `${error.message}. Another program uses the port: stop it, or set POSTHORN_PORT (0 picks a free port)`
  }
  if (code !== null && notOfThisMachine.has(code)) {
    return `${error.message}. Set POSTHORN_HOST (or POSTHORN_SMTP_HOST) to an address of this machine`
  }
  if ('syscall' in error && error.syscall === 'mkdir') {
    return `${error.message}. Set POSTHORN_DATA_DIR to a directory that Posthorn can create`
  }
  // after several addresses failed, only the inner errors have a message
  if (error instanceof AggregateError && error.message === '') {
    return describeFailure(error.errors[0])
  }
  return error.message.split('\n')[0] ?? error.name
}

/** The error codes of a host that is not an address of this machine. */
const notOfThisMachine = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'EADDRNOTAVAIL'])
