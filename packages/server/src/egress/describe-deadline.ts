import { attemptMessage } from '@posthorn/contract/plain'
import type { AttemptError } from '../domain/attempt-error.ts'
import { connectTimeout } from './connect-timeout.ts'
import type { Opening } from './opening.ts'

export type Stage = Opening['stage'] | 'send' | 'answer'

/** Says in which phase the time for a whole attempt ran out. */
export function describeDeadline(
  stage: Stage,
  host: string,
  interimAnswers: number,
  unsentBytes: number,
  timeoutMs: number,
): AttemptError {
  const limit = String(timeoutMs / 1000)
  switch (stage) {
    case 'dns':
      return {
        code: 'dns_failed',
        message: attemptMessage('dns_failed', { host }, `DNS did not answer within ${limit} s.`),
      }
    case 'connect':
    case 'tls': {
      const { code, message } = connectTimeout(stage, host, timeoutMs)
      return { code, message }
    }
    case 'send':
      return unsentBytes > 0
        ? notDone(limit, 'It did not read the whole request.')
        : {
            code: 'response_timeout',
            message: attemptMessage('response_timeout', { limit }, 'It had taken the whole request.'),
          }
    case 'answer':
      return notDone(
        limit,
        interimAnswers > 0
          ? 'It sent only interim answers (1xx).'
          : 'It began to answer and did not finish the headers.',
      )
  }
}

function notDone(limit: string, cause: string): AttemptError {
  return { code: 'request_timeout', message: attemptMessage('request_timeout', { limit }, cause) }
}
