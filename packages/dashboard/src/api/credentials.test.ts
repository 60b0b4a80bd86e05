import { expect, test } from 'vitest'
import { Credentials } from './credentials.ts'

test('a refusal ends the session until somebody signs in again', () => {
  const credentials = new Credentials()
  credentials.useCookie('csrf')
  credentials.end(credentials.generation)
  expect(credentials.hasEnded).toBe(true)

  credentials.useCookie('another')
  expect(credentials.hasEnded).toBe(false)
})

test('a refusal of what was sent before says nothing of who is signed in now', () => {
  const credentials = new Credentials()
  credentials.useBearer('phs_old')
  const { generation } = credentials
  credentials.useBearer('phs_new')
  credentials.end(generation)
  expect(credentials.hasEnded).toBe(false)
})

test('a cookie needs the token against forged requests for changes alone, a bearer token needs none', () => {
  const credentials = new Credentials()
  credentials.useCookie('csrf')
  expect(credentials.headersFor('GET')).toEqual({})
  expect(credentials.headersFor('POST')).toEqual({ 'x-csrf-token': 'csrf' })
  credentials.useBearer('phs_1')
  expect(credentials.headersFor('POST')).toEqual({ authorization: 'Bearer phs_1' })
})
