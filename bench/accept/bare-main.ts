import { askedToStop } from '../../packages/server/src/cli/asked-to-stop.ts'
import { readConfig } from '../../packages/server/src/config.ts'
import { createLog } from '../../packages/server/src/log.ts'
import { openService } from '../../packages/server/src/service.ts'
import { storeInOneTable, storeNothing } from './bare-store.ts'

/** Posthorn with another way to store events, for the benches. It replaces `main.ts`. */
const { config } = readConfig()
const log = createLog(config.logLevel)
const asked = askedToStop()
const store = process.env['BARE_STORE'] === 'nothing' ? storeNothing : storeInOneTable
await using service = await openService(config, log, { store })
log.info({ url: service.url }, 'listens')
await asked
