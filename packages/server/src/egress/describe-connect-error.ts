import { attemptMessage } from '@posthorn/contract/plain'
import { AttemptFailure, errorCode } from './attempt-failure.ts'
import { connectTimeout, connectTimeoutMs } from './connect-timeout.ts'
import { hungUp } from './hung-up.ts'
import type { Origin } from './origin.ts'

/** Says why there is no connection. A failure that is in words already stays as it is. */
export function describeConnectError(error: unknown, { host, port }: Origin): unknown {
  const refused = (cause?: string): AttemptFailure => {
    const message = attemptMessage('connect_refused', { host, port: String(port) }, cause)
    return new AttemptFailure('connect_refused', message, { cause: error })
  }
  switch (errorCode(error)) {
    case 'ECONNREFUSED':
      return refused()
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'EADDRNOTAVAIL':
    case 'EACCES':
    case 'EPERM':
      return refused('There is no way to it through the network.')
    case 'ETIMEDOUT':
      return connectTimeout('connect', host, connectTimeoutMs)
    case 'ECONNRESET':
    case 'ECONNABORTED':
    case 'EPIPE': {
      const { code, message } = hungUp('The connection was being opened.')
      return new AttemptFailure(code, message, { cause: error })
    }
    default:
      return error
  }
}
