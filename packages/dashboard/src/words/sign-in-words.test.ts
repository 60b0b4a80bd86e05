import { expect, test } from 'vitest'
import { ApiProblem } from '../api/problem.ts'
import { misplacedSecretWords, signInWords } from './sign-in-words.ts'

const refused = async (
  status: number,
  body: object,
  headers: Record<string, string> = {},
): Promise<ApiProblem> => await ApiProblem.from(new Response(JSON.stringify(body), { status, headers }))

test('a signing secret in the place of a key is not sent', () => {
  expect(misplacedSecretWords('whsec_abc')).toMatch('signing secret')
  expect(misplacedSecretWords('phk_abc')).toBeNull()
})

test('the service’s own words tell a revoked key from an unknown one', async () => {
  const detail = 'This API key was revoked. Use another one.'
  expect(signInWords(await refused(401, { code: 'unauthorized', detail }))).toBe(detail)
})

test('whoever tried too often is told when to try again', async () => {
  const cause = await refused(429, { code: 'rate_limited' }, { 'retry-after': '8' })
  expect(signInWords(cause)).toBe('Too many attempts. Try again in 8 s.')
})
