import { expect, test } from 'vitest'
import { hostOf, primaryUrl, splitHosts } from './split-hosts.ts'

test.each([
  'postgres://posthorn:secret@db:5432/posthorn',
  'postgres://u:with,comma@db/posthorn?sslmode=verify-full',
  'postgres://u@%2Fvar%2Frun%2Fpostgresql/posthorn',
  'postgres:///posthorn?host=/var/run/postgresql',
  'postgres://[::1]:5433/posthorn?target_session_attrs=read-write',
])('a URL with one host is unchanged: %s', url => {
  expect(splitHosts(url)).toEqual([url])
})

test('each of several hosts gets its own URL with the same user, database and TLS settings', () => {
  expect(
    splitHosts(
      'postgres://u:a,b%40c@db1:5433,[::1]:6000,db3/app?target_session_attrs=read-write&sslmode=verify-full',
    ),
  ).toEqual([
    'postgres://u:a,b%40c@db1:5433/app?sslmode=verify-full',
    'postgres://u:a,b%40c@[::1]:6000/app?sslmode=verify-full',
    'postgres://u:a,b%40c@db3/app?sslmode=verify-full',
  ])
})

test('Unix socket directories count as hosts', () => {
  const urls = splitHosts('postgresql://posthorn@%2Ftmp%2Fone,%2Ftmp%2Ftwo:6000/app')
  expect(urls).toEqual([
    'postgresql://posthorn@%2Ftmp%2Fone/app',
    'postgresql://posthorn@%2Ftmp%2Ftwo:6000/app',
  ])
  expect(urls.map(hostOf)).toEqual(['/tmp/one:5432', '/tmp/two:6000'])
})

test('hosts and ports can be listed as parameters', () => {
  expect(splitHosts('postgres:///app?host=/tmp/one,db2,::1&port=5432,,6000&user=u')).toEqual([
    'postgres://%2Ftmp%2Fone:5432/app?user=u',
    'postgres://db2/app?user=u',
    'postgres://[::1]:6000/app?user=u',
  ])
  expect(splitHosts('postgres:///app?host=db1,db2&port=6000')).toEqual([
    'postgres://db1:6000/app',
    'postgres://db2:6000/app',
  ])
})

test.each([
  ['postgres://u:secret@db1,,db2/app', 'a host is missing'],
  ['postgres://u:secret@db1,db2:port/app', 'each of several hosts'],
  ['postgres://u:secret@db1,db2/app?target_session_attrs=standby', 'Posthorn writes'],
  ['postgres:///app?host=db1,db2&port=1,2,3&password=secret', '2 hosts cannot have 3 ports'],
])('an invalid host list is rejected without showing its password: %s', (url, reason) => {
  const refused = (): unknown => splitHosts(url)
  expect(refused).toThrow(reason)
  expect(refused).not.toThrow('secret')
})

test.each([
  ['postgres://u@db1/app?sslmode=require', 'postgres://u@db1/app?sslmode=require'],
  ['postgres://u:p%3F@db1,db2/app', 'postgres://u:p%3F@db1,db2/app?target_session_attrs=read-write'],
  [
    'postgres://u@db1,db2/app?target_session_attrs=any&sslmode=require',
    'postgres://u@db1,db2/app?sslmode=require&target_session_attrs=read-write',
  ],
])('libpq connects to the primary with the URL of %s', (url, expected) => {
  expect(primaryUrl(url)).toBe(expected)
})
