import { spawnSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type DatabasePlace,
  newDatabasePlace,
  newestServer,
} from '../../../server/test/support/test-database.ts'
import { startRedis } from '../redis-server.ts'
import { type Command, languagesHere } from './languages.ts'

const here = languagesHere('the receiver library')

describe.runIf(here.length > 0)('the library', () => {
  let place: DatabasePlace
  let redis: Awaited<ReturnType<typeof startRedis>>
  beforeAll(async () => {
    place = await newDatabasePlace({ ...newestServer(), hasTemplate: false })
    redis = await startRedis()
  })
  afterAll(async () => {
    await redis.stop()
    await place[Symbol.asyncDispose]()
  })

  test.each(here)(
    'in $name passes its own tests, with every signature vector',
    ({ name, folder, ownTests }) => {
      const env = {
        ...process.env,
        POSTHORN_TEST_POSTGRES_URL: place.databaseUrl ?? '',
        POSTHORN_TEST_REDIS_SOCKET: redis.socket,
      }
      console.log(`${name}: ${run(ownTests, folder, env).trim().split('\n').at(-1)}`)
    },
  )

  test.each(here)('in $name installs into an empty project', ({ name, folder, cleanInstall }) => {
    const printed = run(cleanInstall, folder, process.env)
    expect(printed).toContain('verified evt_1')
    console.log(`${name}: ${/^packed: .*$/m.exec(printed)?.[0]}`)
  })
})

function run([program, ...args]: Command, cwd: string, env: NodeJS.ProcessEnv): string {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, env, encoding: 'utf8' })
  expect(status, stdout + stderr).toBe(0)
  return stdout
}
