import { expect, test } from 'vitest'
import { parseProxyUrl } from './proxy-url.ts'

test('a proxy is a host with a port, and perhaps a user', () => {
  expect(parseProxyUrl('http://proxy.example.com:3128')).toEqual({
    host: 'proxy.example.com',
    port: 3128,
    authorization: null,
  })
  expect(parseProxyUrl('http://[fd00::1]')).toMatchObject({ host: 'fd00::1', port: 80 })
  expect(parseProxyUrl('http://ann:p%40ss@10.0.0.1:8080').authorization).toBe('Basic YW5uOnBAc3M=')
})

test.each(['proxy:3128', 'https://proxy:3128', 'socks5://proxy', 'http://proxy/path', 'http://', ''])(
  '%j is refused',
  text => {
    expect(() => parseProxyUrl(text)).toThrow('write http://host:port')
  },
)

test('the error does not show the password', () => {
  expect(() => parseProxyUrl('https://ann:hunter2@proxy')).toThrow(/^(?!.*hunter2)/)
})
