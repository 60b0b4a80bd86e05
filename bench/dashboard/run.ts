import { cpus, totalmem } from 'node:os'
import { buildDashboard } from '../../tools/build-dashboard.ts'
import { launchBrowser } from '../../packages/dashboard/test/support/browser.ts'
import { connectApi, expectStatus } from '../../packages/server/test/support/api.ts'
import { findPostgres, startPostgres } from '../../packages/server/test/support/postgres-server.ts'
import { newInstallation, startService } from '../../packages/server/test/support/service-process.ts'
import { newDatabasePlace } from '../../packages/server/test/support/test-database.ts'
import { median } from '../support/median.ts'
import { apiTimes } from './api-times.ts'
import { type PageTimes, pageTimes } from './page-times.ts'
import { seed } from './seed.ts'
import { openSlowPage } from './slow-page.ts'

/** Measures the lists of the dashboard with a million deliveries and prints the table for README.md. */
const rounds = 5

const installed = findPostgres().at(-1)
if (installed === undefined)
  throw new Error('PostgreSQL is missing on this machine. Run npm ci to install it.')
await buildDashboard()
await using postgres = await startPostgres(installed)
await using place = await newDatabasePlace({ name: 'PostgreSQL', serverUrl: postgres.url('postgres') })
process.stderr.write('Storing a million deliveries…\n')
const installation = newInstallation(place)
const accountId = await seed(installation)
await using service = await startService(installation)
const { api_key: key } = expectStatus(
  201,
  await service.operator.post<{ api_key: string }>(`/v1/accounts/${accountId}/api-keys`, {
    name: 'bench',
    scopes: ['read'],
  }),
)
await using browser = await launchBrowser()
const open = async () => await openSlowPage(browser, service.url, key)

const api = await apiTimes(connectApi(service.url, key))
const times: PageTimes[] = []
for (let round = 0; round < rounds; round++) times.push(await pageTimes(open))

const print = (line: string): void => void process.stdout.write(`${line}\n`)
const row = (what: string, name: keyof PageTimes, apiMs: number | null): void => {
  const of = times.map(one => one[name])
  const cells = [
    what,
    apiMs === null ? '—' : apiMs.toFixed(0),
    median(of).toFixed(0),
    Math.max(...of).toFixed(0),
  ]
  print(`| ${cells.join(' | ')} |`)
}
print(
  `${cpus().length} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}, ` +
    `PostgreSQL ${installed.version}, Chromium ${browser.version()}\n`,
)
print(`| | API, median ms | page, median ms of ${rounds} | slowest |`)
print('| --- | --- | --- | --- |')
row('overview, from nothing to its first picture', 'overview', null)
row('deliveries, from nothing to the first 50 rows', 'firstRows', api.first)
row('a filter pressed, to its rows', 'filterChange', api.filtered)
row('Load older pressed, to 50 rows more', 'loadOlder', api.older)
