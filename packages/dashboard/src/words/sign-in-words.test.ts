import { expect, test } from 'vitest'
import { ApiProblem } from '../api/problem.ts'
import { misplacedSecretWords, signInWords } from './sign-in-words.ts'

const refused = async (
  status: number,
  body: object,
  headers: Record<string, string> = {},
): Promise<ApiProblem> => await ApiProblem.from(new Response(JSON.stringify(body), { status, headers }))

test('a signing secret entered instead of an API key is recognised', () => {
  expect(misplacedSecretWords('whsec_abc')).toMatch('signing secret')
  expect(misplacedSecretWords('phk_abc')).toBeNull()
})

test('a rejected key is explained in the service’s own words', async () => {
  const detail = 'This API key was revoked. Use another one.'
  expect(signInWords(await refused(401, { code: 'unauthorized', detail }))).toBe(detail)
})

test('a rate-limited sign-in says when to try again', async () => {
  const cause = await refused(429, { code: 'rate_limited' }, { 'retry-after': '8' })
  expect(signInWords(cause)).toBe('Too many attempts. Try again in 8 s.')
})
