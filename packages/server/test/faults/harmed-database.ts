import { type Installation, newInstallation } from '../support/service-process.ts'
import { newDatabasePlace, newestServer } from '../support/test-database.ts'
import { type DatabaseProxy, startDatabaseProxy } from './database-proxy.ts'

/** A fresh database, directly and through a proxy that injects faults. */
export interface HarmedDatabase extends AsyncDisposable {
  proxy: DatabaseProxy
  databaseUrl: string
  /** Its processes connect through the proxy. */
  harmed: Installation
  /** The same installation, whose processes connect directly. */
  spared: Installation
}

export async function newHarmedDatabase(): Promise<HarmedDatabase> {
  const place = await newDatabasePlace(newestServer())
  const databaseUrl = place.databaseUrl ?? ''
  const proxy = await startDatabaseProxy(databaseUrl)
  const spared = newInstallation(place)
  return {
    proxy,
    databaseUrl,
    spared,
    harmed: { ...spared, place: { ...place, databaseUrl: proxy.url(databaseUrl) } },
    [Symbol.asyncDispose]: async () => {
      await proxy[Symbol.asyncDispose]()
      await place[Symbol.asyncDispose]()
    },
  }
}
