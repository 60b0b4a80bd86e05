import { expect, test } from 'vitest'
import { ConfigError, readConfig } from './config.ts'

test.each([
  ['POSTHORN_PORTS', '80', ' is not a setting of Posthorn: see docs/configuration.md'],
  ['POSTHORN_PORT', '65536', ' must be a whole number from 0 to 65535, not "65536"'],
  ['POSTHORN_PORT', '0x10', ' must be a whole number from 0 to 65535, not "0x10"'],
  ['POSTHORN_DRAIN_PER_SECOND', '0', ' must be a number of at least 0.01, not "0"'],
  ['POSTHORN_ROLE', 'queen', ' must be one of all, api, dispatcher, not "queen"'],
  ['POSTHORN_EGRESS_HTTP', 'yes', ' must be one of true, false, not "yes"'],
  ['POSTHORN_EGRESS_PORTS', '443,0', ': "0" is not a port from 1 to 65535'],
  ['POSTHORN_EGRESS_ALLOW', 'lan', ': "lan" is not an address range: write it like 10.0.0.0/8 or fd00::/8'],
  ['POSTHORN_PUBLIC_URL', 'ftp://a.example', ' must be an http or https URL, not "ftp://a.example"'],
  // these may be secrets, so the errors do not show them; Node turns invalid UTF-8 into U+FFFD
  ['POSTHORN_DATA_DIR', '/srv/\ufffd', ' must be UTF-8'],
  ['POSTHORN_ADMIN_TOKEN', 'hunter2', ' must have at least 32 characters'],
  ['DATABASE_URL', 'mysql://a:hunter2@b', ': it must begin with postgres:// or postgresql://'],
])('%s=%s prevents startup with an error that says what to do', (name, text, message) => {
  expect(() => readConfig({ [name]: text })).toThrow(new ConfigError(name + message))
})

test('empty values count as unset, and values set by Kubernetes are reported and ignored', () => {
  const { config, warnings } = readConfig({
    POSTHORN_HOST: ' ',
    POSTHORN_PORT: 'tcp://10.0.0.1:80',
    POSTHORN_DATA_DIR: ' /var/lib/é ',
  })
  expect(config).toMatchObject({ host: '127.0.0.1', port: 4100, dataDir: '/var/lib/é', publicUrl: null })
  expect(warnings).toEqual([expect.stringContaining('(POSTHORN_PORT)')])
})

test('the effective settings name their source and show no secret', () => {
  const { inForce } = readConfig({
    POSTHORN_SMTP_URL: 'smtp://a:hunter2@b',
    POSTHORN_LEASE_SECONDS: '40.5',
  }).config
  expect(inForce).toEqual(
    expect.arrayContaining([
      { name: 'POSTHORN_SMTP_URL', value: '***', source: 'environment' },
      { name: 'POSTHORN_LEASE_SECONDS', value: '40.5', source: 'environment' },
      { name: 'POSTHORN_ADMIN_TOKEN', value: '***', source: 'file' },
      { name: 'POSTHORN_HOST', value: '127.0.0.1', source: 'default' },
    ]),
  )
})
