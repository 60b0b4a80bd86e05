import { type ErrorCode, errorCodes } from '@posthorn/contract'
import type { ApiRequest } from './api-requests.ts'
import type { ApiAnswer } from './ask.ts'

/** Texts that no answer may contain. */
export interface Secrets {
  word: string
  ids: readonly string[]
}

/** What is wrong with an answer to any request, or null. */
export function flawOf(request: ApiRequest, answer: ApiAnswer, secrets: Secrets | null): string | null {
  const { status, headers, text } = answer
  if (status === 503 && headers['retry-after'] === undefined) return '503 without Retry-After'
  if (status >= 500 && status !== 503) return 'a failure of ours'
  if (status >= 400) {
    const flaw = flawOfProblem(answer)
    if (flaw !== null) return flaw
  }
  if (secrets === null) return null
  if (text.includes(secrets.word)) return 'a word of another account'
  const asked = request.path + String(request.body ?? '')
  const leaked = secrets.ids.find(id => text.includes(id) && !asked.includes(id))
  return leaked === undefined ? null : `an id of another account: ${leaked}`
}

function flawOfProblem({ status, headers, text }: ApiAnswer): string | null {
  if (headers['content-type'] !== 'application/problem+json') return 'a refusal that is no problem+json'
  const problem = JSON.parse(text) as { status: number; code: ErrorCode; request_id: string; detail: string }
  if (!(problem.code in errorCodes)) return 'a code that is not in the list'
  if (problem.status !== status || errorCodes[problem.code] !== status)
    return 'a status that is not the code’s'
  if (problem.request_id !== headers['x-request-id']) return 'another request id in body and header'
  return problem.detail === '' ? 'no word of advice' : null
}
