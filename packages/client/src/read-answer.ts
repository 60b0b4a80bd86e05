import { problem, type Route } from '@posthorn/contract'
import { ApiProblem } from './api-problem.ts'
import { retryAfterSeconds } from './retry-after.ts'
import { UnexpectedAnswerError } from './unexpected-answer-error.ts'

/**
 * Reads a response and checks it against the contract.
 * @throws ApiProblem, UnexpectedAnswerError
 */
export async function readAnswer(route: Route, response: Response): Promise<unknown> {
  const json = parseJson(await response.text())
  if (!response.ok) {
    const said = problem.safeParse(json)
    if (said.success) throw new ApiProblem(said.data, retryAfterSeconds(response))
    throw new UnexpectedAnswerError(
      response.status,
      `${route.operationId} returned status ${response.status} without an error document of Posthorn`,
    )
  }
  const said = response.status === route.dryRun?.status ? route.dryRun : route.success
  if (said.schema === undefined) return undefined
  const answer = said.schema.safeParse(json)
  if (answer.success) return answer.data
  throw new UnexpectedAnswerError(
    response.status,
    `the response to ${route.operationId} does not match this version of the API`,
    { cause: answer.error },
  )
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
