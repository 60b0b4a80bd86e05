import { Redis } from 'ioredis'
import { Pool } from 'pg'
import { postgresStore, processOnce, redisStore } from '../src/dedupe.ts'

// Claims an id for a second, prints that, and waits until the test kills it.
const [kind, address = '', id = ''] = process.argv.slice(2)
const pool = new Pool({ connectionString: address })
const store =
  kind === 'redis' ? redisStore(new Redis(address)) : postgresStore((sql, values) => pool.query(sql, values))

await processOnce(
  store,
  id,
  () => {
    console.log('working')
    return new Promise(() => setInterval(() => undefined, 1000))
  },
  { leaseSeconds: 1 },
)
