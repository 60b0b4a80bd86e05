import { ApiProblem, UnexpectedAnswerError } from '@posthorn/client'
import { CommandError } from './command-error.ts'
import { pause } from './pause.ts'

const firstPauseMs = 500

/** Waits before the next try: half a second, then twice as long each time, up to `pauseMsMax`. */
export async function pauseBeforeTry(tries: number, pauseMsMax: number, stop: AbortSignal): Promise<void> {
  await pause(Math.min(pauseMsMax, firstPauseMs * 2 ** Math.min(tries, 10)), stop)
}

/** Whether the same request may succeed later, because the service does not answer or is overloaded. */
export function isTemporary(error: unknown): error is Error {
  if (error instanceof ApiProblem) return error.status === 429 || error.status >= 500
  if (error instanceof UnexpectedAnswerError) return true
  if (error instanceof CommandError) return error.code === 'service_unreachable'
  // fetch throws this if the connection closes in the middle of the answer
  const isCutOff = error instanceof TypeError && error.cause !== undefined
  return (
    isCutOff || (error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError'))
  )
}
