import { afterEach, expect, test, vi } from 'vitest'
import { createCall } from './call.ts'
import { Credentials } from './credentials.ts'
import { Silence } from './silence.ts'

afterEach(() => vi.unstubAllGlobals())

/** A page whose service answers `{}` to every request. */
function openPage() {
  const requests: string[] = []
  vi.stubGlobal('fetch', async (path: string, { method }: RequestInit) => {
    requests.push(`${method} ${path}`)
    return Response.json({})
  })
  const silence = new Silence()
  return { call: createCall(new Credentials(), silence), silence, requests }
}

test('requests that the page makes on its own wait until the silence ends', async () => {
  const { call, silence, requests } = openPage()
  const end = silence.hold()

  const asked = call('listWebhooks')
  await call('deleteSession')
  expect(requests).toEqual(['DELETE /v1/session'])

  end()
  await asked
  expect(requests).toEqual(['DELETE /v1/session', 'GET /v1/webhooks'])
})

test('silence lasts until every holder has ended it, and each holder counts once', async () => {
  const { call, silence, requests } = openPage()
  const ends = [silence.hold(), silence.hold()]
  const asked = call('listWebhooks')

  ends[0]?.()
  ends[0]?.()
  expect(silence.isHeld).toBe(true)
  expect(requests).toEqual([])

  ends[1]?.()
  await asked
  expect(requests).toEqual(['GET /v1/webhooks'])
})

test('a held request that is aborted is never sent', async () => {
  const { call, silence, requests } = openPage()
  const end = silence.hold()
  const nobody = new AbortController()
  const asked = call('listWebhooks', { signal: nobody.signal })

  nobody.abort()
  await expect(asked).rejects.toThrow('aborted')
  end()
  await Promise.resolve()
  expect(requests).toEqual([])
})
