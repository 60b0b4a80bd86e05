import { expect, test } from 'vitest'
import { Credentials } from './credentials.ts'

test('a rejected credential ends the session until somebody signs in again', () => {
  const credentials = new Credentials()
  credentials.useCookie('csrf')
  credentials.end(credentials.generation)
  expect(credentials.hasEnded).toBe(true)

  credentials.useCookie('another')
  expect(credentials.hasEnded).toBe(false)
})

test('rejecting an old credential does not end the current session', () => {
  const credentials = new Credentials()
  credentials.useBearer('phs_old')
  const { generation } = credentials
  credentials.useBearer('phs_new')
  credentials.end(generation)
  expect(credentials.hasEnded).toBe(false)
})

test('a CSRF token is sent only with a cookie and only for changes', () => {
  const credentials = new Credentials()
  credentials.useCookie('csrf')
  expect(credentials.headersFor('GET')).toEqual({})
  expect(credentials.headersFor('POST')).toEqual({ 'x-csrf-token': 'csrf' })
  credentials.useBearer('phs_1')
  expect(credentials.headersFor('POST')).toEqual({ authorization: 'Bearer phs_1' })
})
