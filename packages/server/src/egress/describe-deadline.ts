import type { AttemptError } from '../domain/attempt-error.ts'
import { connectTimeout, type Stage } from './open-socket.ts'

/** Says in which phase the time for a whole attempt ran out. */
export function describeDeadline(
  stage: Stage,
  interimAnswers: number,
  unsentBytes: number,
  timeoutMs: number,
): AttemptError {
  const seconds = timeoutMs / 1000
  switch (stage) {
    case 'dns':
      return { code: 'dns_failed', message: `DNS did not answer within ${seconds} seconds.` }
    case 'connect':
    case 'tls': {
      const { code, message } = connectTimeout(stage, timeoutMs)
      return { code, message }
    }
    case 'send':
      return unsentBytes > 0
        ? {
            code: 'request_timeout',
            message: `The endpoint did not read the request within ${seconds} seconds.`,
          }
        : {
            code: 'response_timeout',
            message: `The endpoint took the request but did not answer within ${seconds} seconds. Answer first, work afterwards.`,
          }
    case 'answer':
      return {
        code: 'request_timeout',
        message:
          interimAnswers > 0
            ? `The endpoint sent only interim answers (1xx) within ${seconds} seconds.`
            : `The headers of the answer were not complete within ${seconds} seconds.`,
      }
  }
}
