import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newCustomer } from '../support/api.ts'
import { openPlace } from '../support/open-place.ts'
import { newInstallation, startService } from '../support/service-process.ts'
import { type DatabasePlace, eachKind, newDatabasePlace } from '../support/test-database.ts'
import { until } from '../support/until.ts'
import { spawnPosthorn } from './posthorn-process.ts'

const otherKey = (): string => randomBytes(32).toString('base64')

test.each(eachKind())(
  'a master key with the right id and other bytes stops the start with one line and changes nothing, on $name',
  async backend => {
    await using place = await newDatabasePlace(backend)
    const installation = newInstallation(place)
    {
      await using service = await startService(installation)
      const customer = await newCustomer(service.url, service.operator)
      await customer.newWebhook({ url: 'http://127.0.0.1:9/hook', headers: { 'X-Tenant': 'acme' } })
      expect(await service.stop()).toBe(0)
    }
    const before = await contents(place)
    const wrong = `test:${otherKey()}`

    await using refused = spawnPosthorn(['start'], { env: environment(place, wrong) })
    const isUp = (): boolean => refused.stdout().includes('Posthorn listens on')
    await until('it ends or is up', () => refused.child.exitCode !== null || isUp())
    expect([refused.child.exitCode, refused.stdout()]).toEqual([1, ''])
    expect(refused.stderr()).toMatch(/^posthorn: the master key "test" .+\. Put the right key into .+\n$/)
    expect(refused.stderr()).not.toContain(wrong.slice(5))
    expect(await contents(place)).toEqual(before)
    expect(existsSync(join(place.dataDir, 'admin-token'))).toBe(false)

    // with the right key it starts, also if the lost key follows a new one
    for (const masterKeys of [installation.masterKeys, `next:${otherKey()},${wrong}`]) {
      await using service = spawnPosthorn(['start'], { env: environment(place, masterKeys) })
      expect((await fetch(`${await service.url()}/readyz`)).status).toBe(200)
      expect(service.stdout().includes('master key \\"test\\" decrypts none')).toBe(
        masterKeys !== installation.masterKeys,
      )
    }
  },
)

function environment({ dataDir, databaseUrl }: DatabasePlace, masterKeys: string): Record<string, string> {
  return {
    POSTHORN_DATA_DIR: dataDir,
    POSTHORN_PORT: '0',
    POSTHORN_MASTER_KEYS: masterKeys,
    ...(databaseUrl !== null && { DATABASE_URL: databaseUrl, POSTHORN_ADMIN_TOKEN: 'a'.repeat(32) }),
  }
}

async function contents(place: DatabasePlace): Promise<unknown> {
  await using db = await openPlace(place)
  return await db.query(
    `select xmin::text as written_by, to_jsonb(s) as row from signing_key s
     union all select xmin::text, to_jsonb(e) from endpoint e
     union all select xmin::text, to_jsonb(c) from maintenance_clock c
     union all select xmin::text, to_jsonb(p) from process p`,
  )
}
