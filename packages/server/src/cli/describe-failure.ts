import { DatabaseUnavailableError } from '../db/database.ts'

/** Why the service or its database could not be opened, in one line that says what to do where that is known. */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error && typeof error.code === 'string' ? error.code : null
  if (error instanceof DatabaseUnavailableError) {
    // of several hosts each was named with its reason
    if (error.message.startsWith('no host in DATABASE_URL')) return error.message
    return `${error.message}; does DATABASE_URL name a server that runs?`
  }
  if (code === 'EADDRINUSE') {
    return `${error.message}; another program listens there: stop it, or set POSTHORN_PORT (0 picks a free one)`
  }
  if (code !== null && notOfThisMachine.has(code)) {
    return `${error.message}; does POSTHORN_HOST (or POSTHORN_SMTP_HOST) name an address of this machine?`
  }
  if ('syscall' in error && error.syscall === 'mkdir') {
    return `${error.message}; can POSTHORN_DATA_DIR be made there?`
  }
  // several addresses were tried: the error itself says nothing, its parts do
  if (error instanceof AggregateError && error.message === '') {
    return describeFailure(error.errors[0])
  }
  return error.message.split('\n')[0] ?? error.name
}

/** How it shows that nothing can listen under a name. */
const notOfThisMachine = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'EADDRNOTAVAIL'])
