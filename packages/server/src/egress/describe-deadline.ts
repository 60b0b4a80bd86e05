import type { AttemptError } from '../domain/attempt-error.ts'
import { attemptError } from './attempt-failure.ts'
import { connectTimeout } from './describe-connect-error.ts'
import type { Handshake } from './handshake.ts'

/** Explains in which stage the time limit of an attempt passed. */
export function describeDeadline(
  stage: Handshake['stage'] | 'send' | 'answer',
  host: string,
  interimAnswers: number,
  unsentBytes: number,
  timeoutMs: number,
): AttemptError {
  const limit = String(timeoutMs / 1000)
  switch (stage) {
    case 'dns':
      return attemptError('dns_failed', { host }, `DNS did not answer within ${limit} s.`)
    case 'connect':
    case 'tls':
      return connectTimeout(stage, host, timeoutMs)
    case 'send':
      return unsentBytes > 0
        ? attemptError('request_timeout', { limit }, 'It did not read the whole request.')
        : attemptError('response_timeout', { limit }, 'It had received the whole request.')
    case 'answer': {
      const interimOnly = 'It sent only interim answers (1xx).'
      const noEnd = 'It began to answer but did not finish the headers.'
      return attemptError('request_timeout', { limit }, interimAnswers > 0 ? interimOnly : noEnd)
    }
  }
}
