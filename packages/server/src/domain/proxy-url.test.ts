import { expect, test } from 'vitest'
import { parseProxyUrl } from './proxy-url.ts'

test('a proxy is a protocol and a host with a port, and perhaps a user', () => {
  expect(parseProxyUrl('http://proxy.example.com:3128')).toEqual({
    protocol: 'http',
    host: 'proxy.example.com',
    port: 3128,
    login: null,
  })
  expect(parseProxyUrl('http://[fd00::1]')).toMatchObject({ host: 'fd00::1', port: 80 })
  expect(parseProxyUrl('socks5://[fd00::1]')).toMatchObject({
    protocol: 'socks5',
    host: 'fd00::1',
    port: 1080,
  })
  const login = { user: 'ann', password: 'p@ss' }
  expect(parseProxyUrl('http://ann:p%40ss@10.0.0.1:8080').login).toEqual(login)
  expect(parseProxyUrl('socks5://ann:p%40ss@10.0.0.1:9050')).toMatchObject({ port: 9050, login })
})

test.each([
  'proxy:3128',
  'https://proxy:3128',
  'socks4://proxy',
  'http://proxy/path',
  'socks5://proxy/path',
  'http://',
  'socks5://',
  '',
])('%j is refused', text => {
  expect(() => parseProxyUrl(text)).toThrow('write http://host:port or socks5://host:port')
})

test('a password that SOCKS5 cannot send is refused', () => {
  expect(() => parseProxyUrl(`socks5://ann:${'x'.repeat(256)}@proxy`)).toThrow(/more than 255 bytes/)
})

test('a % that begins no code is refused with how to write it', () => {
  expect(() => parseProxyUrl('http://ann:100%@proxy')).toThrow(/write % as %25/)
})

test('the error does not show the password', () => {
  expect(() => parseProxyUrl('https://ann:hunter2@proxy')).toThrow(/^(?!.*hunter2)/)
})
