import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkEndpointUrl, createUrlPolicy } from './url-policy.ts'

const strict = createUrlPolicy({ allowCidrs: [], allowHttp: false, ports: [443, 8443] })
const lenient = createUrlPolicy({ allowCidrs: ['127.0.0.0/8', '::1/128'], allowHttp: true, ports: [443] })

test.each([
  ['https://example.com', 'https://example.com/'],
  ['  HTTPS://Hooks.Example.COM/A?b=c \n', 'https://hooks.example.com/A?b=c'],
  ['https://example.com:443/', 'https://example.com/'],
  ['https://example.com:8443/x', 'https://example.com:8443/x'],
  ['https://example.com./x', 'https://example.com/x'],
  ['https://xn--bcher-kva.example/ü', 'https://xn--bcher-kva.example/%C3%BC'],
  ['https://example.xn--p1ai/', 'https://example.xn--p1ai/'],
  ['https://1.2.3.example.com/', 'https://1.2.3.example.com/'],
])('%j is stored as %s', (text, url) => {
  expect(checkEndpointUrl(text, strict)).toEqual({ ok: true, url })
})

describe('with neither http nor private ranges allowed', () => {
  test.each([
    ['', 'whole URL'],
    ['example.com', 'whole URL'],
    ['https:example.com', 'whole URL'],
    ['https:/example.com', 'whole URL'],
    ['https:///example.com', 'host or the port'],
    ['http://example.com', 'The operator can allow http with POSTHORN_EGRESS_HTTP=true.'],
    ['ftp://example.com', 'begin with https://'],
    ['javascript://example.com', 'begin with https://'],
    ['https://user@example.com', 'user name'],
    ['https://user:pass@example.com', 'user name'],
    ['https://example.com@127.0.0.1', 'user name'],
    ['https://@example.com', 'user name'],
    ['https://example.com/#', 'fragment'],
    ['https://example.com#x', 'fragment'],
    ['https://example.com\\@127.0.0.1', 'backslashes'],
    ['https://exa\tmple.com', 'control characters'],
    ['https://exa\nmple.com', 'control characters'],
    ['https://example.com/a b', 'spaces'],
    ['https://example.com/\u007f', 'control characters'],
    ['https://example.com:0', 'Port 0'],
    ['https://example.com:80', 'use 443 or 8443. The operator can allow others with POSTHORN_EGRESS_PORTS.'],
    ['https://example.com:65536', 'host and port'],
    ['https://example.com:', 'host or the port'],
    ['https://еxample.com', 'ASCII form, xn--xample-2of.com'],
    ['https://127。0。0。1', 'ASCII form, 127.0.0.1'],
    ['https://①②⑦.⓪.⓪.①', 'ASCII form, 127.0.0.1'],
    ['https://%31%32%37.0.0.1', 'two ways: write 127.0.0.1'],
    ['https://ex%61mple.com', 'two ways: write example.com'],
    ['https://localhost', 'full name'],
    ['https://receiver', 'The operator can allow names of a private network with POSTHORN_EGRESS_ALLOW.'],
    ['https://a.localhost', 'internal use'],
    ['https://printer.local', 'internal use'],
    ['https://crm.internal', 'internal use'],
    ['https://box.lan', 'internal use'],
    ['https://x.home.arpa', 'internal use'],
    ['https://x.onion', 'internal use'],
    ['https://api.default.svc', 'internal use'],
    ['https://api.default.svc.cluster.local', 'internal use'],
    ['https://host.docker.internal', 'internal use'],
    ['https://metadata.google.internal', 'metadata'],
    ['https://my_host.example.com', 'letters, digits'],
    ['https://-a.example.com', 'letters, digits'],
    ['https://a-.example.com', 'letters, digits'],
    ['https://a..example.com', 'letters, digits'],
    ['https://.example.com', 'letters, digits'],
    ['https://example.com..', 'letters, digits'],
    [`https://${'a'.repeat(64)}.com`, 'letters, digits'],
    [`https://${'a.'.repeat(127)}com`, '253'],
    ['https://example.c0m', 'top-level domain'],
    [`https://example.com/${'a'.repeat(2048)}`, '2048'],
    [`https://example.com/${'ü'.repeat(700)}`, '2048'],
    ['https://8.8.8.8', 'The operator can allow addresses with POSTHORN_EGRESS_ALLOW.'],
    ['https://[2606:4700::1111]', 'not an IP address'],
    ['https://127.0.0.1', 'not an IP address'],
    ['https://[::1]', 'not an IP address'],
  ])('%j is rejected', (text, reason) => {
    const verdict = checkEndpointUrl(text, strict)
    expect(verdict).toMatchObject({ ok: false })
    expect('reason' in verdict && verdict.reason).toContain(reason)
  })
})

describe('with loopback and http allowed', () => {
  test.each([
    ['http://127.0.0.1:8080/x', 'http://127.0.0.1:8080/x'],
    ['http://127.9.9.9', 'http://127.9.9.9/'],
    ['http://[::1]:9000/', 'http://[::1]:9000/'],
    ['http://localhost:22', 'http://localhost:22/'],
    ['https://receiver-1', 'https://receiver-1/'],
    ['http://crm.internal', 'http://crm.internal/'],
    ['https://example.com:81', 'https://example.com:81/'],
  ])('%s can be saved', (text, url) => {
    expect(checkEndpointUrl(text, lenient)).toEqual({ ok: true, url })
  })

  test.each([
    'http://10.0.0.1',
    'http://8.8.8.8',
    'http://169.254.169.254',
    'http://metadata.google.internal',
    'http://0.0.0.0',
    'http://0',
    'http://127.1',
    'http://0x7f.1',
    'http://0177.0.0.1',
    'http://2130706433',
    'http://0x7f000001',
    'http://017700000001',
    'http://127.0.0.1.',
    'http://[::ffff:127.0.0.1]',
    'http://[::127.0.0.1]',
    'http://[0:0:0:0:0:0:0:1]',
    'http:\\\\127.0.0.1\\',
    'http:///127.0.0.1/',
    'http:127.0.0.1',
    'ht\ntp://127.0.0.1',
    'http://ⓛocalhost',
    'http://1.1.1.1 &@2.2.2.2# @3.3.3.3',
    'http://example.com:0',
    'http://my_host',
  ])('%j is still rejected', text => {
    expect(checkEndpointUrl(text, lenient)).toMatchObject({ ok: false })
  })
})

const urlish = fc.oneof(
  fc.webUrl({ withQueryParameters: true, withFragments: true }),
  fc.webUrl().map(url => url.replace('http:', 'https:')),
  fc.string({ unit: 'binary' }),
  fc
    .array(
      fc.constantFrom(
        'https://',
        'http://',
        'example.com',
        '127.0.0.1',
        '[::1]',
        '@',
        ':',
        '443',
        '/',
        '\\',
        '#',
        '?',
        '.',
        '%2e',
        '。',
        ' ',
        'a',
      ),
    )
    .map(parts => parts.join('')),
)

test('the stored form of an accepted URL is accepted unchanged and leads to the same host', () => {
  for (const policy of [strict, lenient]) {
    fc.assert(
      fc.property(urlish, text => {
        const verdict = checkEndpointUrl(text, policy)
        if (!verdict.ok) {
          expect(verdict.reason).toMatch(/^[A-Z].*\.$/)
          return
        }
        expect(checkEndpointUrl(verdict.url, policy)).toEqual(verdict)
        const url = new URL(verdict.url)
        expect([url.username, url.password, url.hash, url.href]).toEqual(['', '', '', verdict.url])
        expect(url.hostname).toBe(new URL(text.trim()).hostname.replace(/\.$/, ''))
        expect(url.hostname.endsWith('.')).toBe(false)
      }),
      { numRuns: 3_000 },
    )
  }
})

test('without allowed ranges, no accepted host is an IP address or a single label', () => {
  fc.assert(
    fc.property(urlish, text => {
      const verdict = checkEndpointUrl(text, strict)
      if (verdict.ok)
        expect(new URL(verdict.url).hostname).toMatch(/^[a-z0-9-]+(\.[a-z0-9-]+)*\.([a-z]+|xn--[a-z0-9-]+)$/)
    }),
    { numRuns: 3_000 },
  )
})
