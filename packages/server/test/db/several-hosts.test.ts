import { expect, test } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { openDatabase } from '../../src/db/open-database.ts'
import { newDatabasePlace, newestServer } from '../support/test-database.ts'
import { until } from '../support/until.ts'

const nobody = 'nobody:secret@%2Fnowhere'

test('with another host down, the host that accepts writes is found, and its notifications arrive', async () => {
  await using place = await newDatabasePlace(newestServer())
  const url = place.databaseUrl ?? ''
  await using db = await open(url.replace('posthorn@', 'posthorn:secret@%2Fnowhere,'))
  const heard: string[] = []
  await using _listening = await db.listen('hosts', payload => heard.push(payload))
  await db.query(`select pg_notify('hosts', 'here')`)
  await until('it is heard', () => heard.includes('here'))
})

test('if no host accepts writes, the error names each host with its reason, and no password', async () => {
  await expect(open(`postgres://${nobody},%2Fnowhere%2Felse:6000/app`)).rejects.toMatchObject({
    name: 'DatabaseUnavailableError',
    message: expect.stringMatching(
      /^no host in DATABASE_URL takes writes \(\/nowhere:5432: .*; \/nowhere\/else:6000: /,
    ),
  })
  await expect(open(`postgres://${nobody},%2Fnowhere%2Felse/app`)).rejects.not.toThrow('secret')
})

test('a host that turns read-only is not used until it accepts writes again', async () => {
  await using place = await newDatabasePlace(newestServer())
  const url = place.databaseUrl ?? ''
  await using operator = await open(url)
  await using db = await open(url.replace('posthorn@', 'posthorn@%2Fnowhere,'))
  await db.query('create table note (text text)')
  const turn = async (readOnly: boolean): Promise<void> => {
    const name = new URL(url).pathname.slice(1)
    await operator.query(`alter database ${name} set default_transaction_read_only = ${String(readOnly)}`)
  }
  const write = async (): Promise<unknown> =>
    await db.transaction(async tx => await tx.query(`insert into note values ('kept')`))

  await turn(true)
  await db.transaction(async tx => {
    // after this the session refuses writes, as on a demoted server
    await tx.query('set session characteristics as transaction read only')
  })
  await expect(write()).rejects.toMatchObject({ name: 'DatabaseUnavailableError' })
  await expect(write()).rejects.toThrow('it is set to read-only')
  await operator.query('set default_transaction_read_only = false')
  await turn(false)
  await write()
  expect(await db.query('select text from note')).toEqual([{ text: 'kept' }])
})

async function open(url: string): Promise<Database> {
  return await openDatabase({ url, dataDir: '', connectionsMax: 1, onLost: () => {} })
}
