import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { customerAt } from '../support/api.ts'
import { canRun, hasProgram } from '../support/can-run.ts'
import { freePort } from '../support/free-port.ts'
import { until } from '../support/until.ts'
import { configOf, type ImageConfig, runContainer, unpackImage, type Unpacked } from './container.ts'

const root = join(import.meta.dirname, '../../../..')
const image = 'localhost/posthorn-test'
const programs = ['buildah', 'mmdebstrap', 'runc', 'strip']
const runs = canRun(
  'the container image',
  process.getuid?.() === 0 && programs.every(hasProgram),
  `${programs.join(' ').replace('strip', 'binutils')}, and run it as root`,
)

describe.runIf(runs)('the container image', () => {
  const folder = mkdtempSync(join(tmpdir(), 'posthorn-image-'))
  const data = join(folder, 'data')
  let config: ImageConfig
  let unpacked: Unpacked
  beforeAll(() => {
    build()
    config = configOf(image)
    unpacked = unpackImage(image)
  }, 900_000)
  afterAll(() => {
    unpacked[Symbol.dispose]()
    rmSync(folder, { recursive: true, force: true })
  })

  test('is at most 200 MB with Node.js, has one volume, and does not run as root', () => {
    expect(config.bytes).toBeLessThanOrEqual(200e6)
    expect(config).toMatchObject({ user: '1000:1000', volumes: ['/data'] })
    console.log(`the image has ${config.bytes / 1e6} MB`)
  })

  test('lists its software, with the versions that are in it', () => {
    const bill = JSON.parse(readFileSync(join(unpacked.folder, 'opt/posthorn/sbom.cdx.json'), 'utf8')) as {
      bomFormat: string
      components: { name: string; version: string }[]
    }
    const versions = Object.fromEntries(bill.components.map(({ name, version }) => [name, version]))
    const installed = JSON.parse(
      readFileSync(join(unpacked.folder, 'opt/posthorn/node_modules/fastify/package.json'), 'utf8'),
    ) as { version: string }
    const node = execFileSync('chroot', [
      unpacked.folder,
      '/usr/local/bin/node',
      '-p',
      'process.versions.node',
    ])
    expect(bill.bomFormat).toBe('CycloneDX')
    expect(versions).toMatchObject({ fastify: installed.version, node: String(node).trim() })
    expect(Object.keys(versions)).not.toContain('express')
  })

  test('runs the quickstart, and cannot write outside its volume', async () => {
    await using container = await runContainer(unpacked, config, data, await freePort())
    const printed = container.exec('posthorn', 'quickstart')
    expect(printed).toContain('All four events arrived with valid signatures.')
    expect(container.exec('posthorn', 'status')).toContain('healthy')
    container.exec('node', '-e', healthCheck())
    const write = "require('fs').writeFileSync('/opt/posthorn/x', '')"
    expect(() => container.exec('node', '-e', write)).toThrow(/EROFS/)
    expect(await container.stop('SIGTERM')).toBe(0)
    expect(container.output()).toContain('draining')
  })

  test('killed with pending deliveries, it completes them after an upgrade', async () => {
    const port = await freePort()
    await using old = await runContainer(unpacked, config, data, port)
    const { account_id, api_key, webhook_id } = JSON.parse(
      readFileSync(join(data, 'quickstart.json'), 'utf8'),
    ) as Record<'account_id' | 'api_key' | 'webhook_id', string>
    const customer = customerAt(old.url, account_id, api_key)
    const { url } = (await customer.api.get<{ url: string }>(`/v1/webhooks/${webhook_id}`)).body
    const accepted = await customer.report(50)
    await until('one was tried in vain', async () =>
      (await customer.deliveries(webhook_id)).some(
        ({ event_id, attempt_count }) => accepted.includes(event_id) && attempt_count > 0,
      ),
    )
    await old.stop('SIGKILL')

    const arrived = new Set<string>()
    const receiver = createServer((request, response) => {
      arrived.add(String(request.headers['x-service-event-id']))
      response.writeHead(204).end()
    }).listen(Number(new URL(url).port), '127.0.0.1')
    const newer = newerImage()
    using unpackedNewer = unpackImage(newer)
    await using container = await runContainer(unpackedNewer, configOf(newer), data, port)
    await until('all have arrived', () => accepted.every(id => arrived.has(id)), 240_000)
    expect(container.output()).toContain('9001-later')
    receiver.close()
  })

  test('built again from the same files, has the same digest', () => {
    build()
    expect(configOf(image).digest).toBe(config.digest)
  }, 900_000)

  /** The command of the Containerfile's health check, which runs without a shell. */
  function healthCheck(): string {
    const [, script = ''] =
      /^ {2}CMD \["node", "-e", "(.*)"\]$/m.exec(readFileSync(join(root, 'deploy/Containerfile'), 'utf8')) ??
      []
    return script
  }

  /** The image with one more migration, as a newer release has. */
  function newerImage(): string {
    const context = join(folder, 'newer')
    mkdirSync(context)
    writeFileSync(join(context, '9001-later.sql'), 'alter table delivery add column brought_later text')
    writeFileSync(
      join(context, 'Containerfile'),
      `FROM ${image}\nCOPY 9001-later.sql /opt/posthorn/migrations/\n`,
    )
    execFileSync('buildah', ['build', '--tag', `${image}:newer`, context], { stdio: 'pipe' })
    return `${image}:newer`
  }
})

function build(): void {
  execFileSync(join(root, 'tools/image/build.sh'), [image, '--no-cache'], { stdio: 'pipe' })
}
