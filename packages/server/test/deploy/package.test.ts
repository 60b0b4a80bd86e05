import { execFileSync, spawn, spawnSync, type SpawnSyncReturns } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { nodesOfThisMachine } from '../cli/posthorn-process.ts'
import { copyEmbeddedDatabase } from '../support/embedded-template.ts'
import { until } from '../support/until.ts'

const here = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'posthorn-tarball-'))
const empty = join(folder, 'empty')
const installed = join(empty, 'node_modules/posthorn')

let installation: SpawnSyncReturns<string>

beforeAll(() => {
  run('npm', ['pack', '--pack-destination', folder], here)
  mkdirSync(empty)
  const tarball = readdirSync(folder).find(name => name.endsWith('.tgz')) ?? ''
  installation = spawnSync(
    'npm',
    ['install', '--no-audit', '--no-fund', '--prefer-offline', join(folder, tarball)],
    { cwd: empty, encoding: 'utf8' },
  )
}, 300_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

// Fastify's newest light-my-request wants Node 22: package.json names the last one that does not
test('the installation prints no warnings', () => {
  expect(installation).toMatchObject({ status: 0, stderr: '' })
})

test('the tarball has JavaScript, migrations and the dashboard, but no tests, sources or unpublished packages', () => {
  const files = readdirSync(installed, { recursive: true, encoding: 'utf8' })
  // the dashboard's pages show code that imports the library
  const scripts = files.filter(name => name.endsWith('.js') && !name.startsWith(join('dist', 'dashboard')))

  expect(readdirSync(installed).toSorted()).toEqual([
    'LICENSE',
    'README.md',
    'bin',
    'dist',
    'migrations',
    'package.json',
  ])
  expect(files.filter(name => /\.ts$|\.test\.|node_modules/.test(name))).toEqual([])
  expect(readdirSync(join(installed, 'migrations'))).toEqual(readdirSync(join(here, 'migrations')))
  expect(existsSync(join(installed, 'dist/dashboard/index.html'))).toBe(true)
  expect(existsSync(join(installed, 'dist/dashboard/THIRD-PARTY-LICENSES.txt'))).toBe(true)
  expect(readFileSync(join(installed, 'LICENSE'))).toEqual(readFileSync(join(here, '../../LICENSE')))
  expect(scripts.length).toBeGreaterThan(100)
  for (const name of scripts) {
    expect(readFileSync(join(installed, name), 'utf8'), name).not.toMatch(/(from |import\()'@posthorn\//)
  }
  expect(existsSync(join(empty, 'node_modules/@posthorn'))).toBe(false)
})

/** Starts it with npx, as users do, and with each Node version of this machine. */
const launchers = [
  { name: 'npx', command: ['npx', 'posthorn'] },
  ...nodesOfThisMachine().map(({ path, version }) => ({
    name: `Node ${version}`,
    command: [path, 'node_modules/.bin/posthorn'],
  })),
]

describe.each(launchers)('started by $name in the empty folder', ({ command: [program = '', ...args] }) => {
  test('it prints its version', () => {
    const { version } = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8')) as { version: string }
    expect(run(program, [...args, '--version'], empty)).toBe(`${version}\n`)
  })

  test('the service becomes ready with its own embedded database, and drains', async () => {
    const dataDir = mkdtempSync(join(folder, 'data-'))
    // creating a database takes seconds, and the first launcher has shown that it works
    if (program !== launchers[0]?.command[0]) await copyEmbeddedDatabase(dataDir, 'schema')
    const service = spawn(program, [...args, 'start'], {
      cwd: empty,
      env: { PATH: process.env['PATH'], POSTHORN_DATA_DIR: dataDir, POSTHORN_PORT: '0' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const closed = once(service, 'close')
    let output = ''
    for (const stream of [service.stdout, service.stderr]) stream.on('data', text => (output += text))
    try {
      const url = await until('it says where it listens', () => {
        if (service.exitCode !== null) throw new Error(output)
        return /"url":"(http[^"]+)"/.exec(output)?.[1]
      })
      expect((await fetch(`${url}/readyz`)).status).toBe(200)
      expect((await fetch(`${url}/openapi.json`)).status).toBe(200)
      for (const address of [url, `${url}/docs`]) {
        const page = await (await fetch(address)).text()
        const [, script = ''] = /src="(\/assets\/[^"]+\.js)"/.exec(page) ?? []
        expect((await fetch(url + script)).headers.get('content-type')).toContain('javascript')
      }
    } finally {
      // as systemd and Docker do, only to the process that they started
      service.kill('SIGTERM')
      await closed
    }
    expect(output).toContain('draining')
  })
})

function run(program: string, args: string[], cwd: string): string {
  return execFileSync(program, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}
