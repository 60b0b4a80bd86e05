import { AttemptFailure, errorCode } from './attempt-failure.ts'
import type { Origin } from './origin.ts'

/** Says why there is no connection. A failure that is in words already stays as it is. */
export function describeConnectError(error: unknown, origin: Origin): unknown {
  const at = `${origin.host} on port ${origin.port}`
  switch (errorCode(error)) {
    case 'ECONNREFUSED':
      return new AttemptFailure('connect_refused', `Nothing listens at ${at}: the connection was refused.`, {
        cause: error,
      })
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'EADDRNOTAVAIL':
    case 'EACCES':
    case 'EPERM':
      return new AttemptFailure('connect_refused', `There is no way through the network to ${at}.`, {
        cause: error,
      })
    case 'ETIMEDOUT':
      return new AttemptFailure('connect_timeout', `${at} did not answer when the connection was opened.`, {
        cause: error,
      })
    case 'ECONNRESET':
    case 'ECONNABORTED':
    case 'EPIPE':
      return new AttemptFailure(
        'connection_reset',
        `${at} closed the connection while it was being opened.`,
        {
          cause: error,
        },
      )
    default:
      return error
  }
}
