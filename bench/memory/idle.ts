import type { PostgresServer } from '../../packages/server/test/support/postgres-server.ts'
import { newInstallation } from '../../packages/server/test/support/service-process.ts'
import type { Form } from '../support/installed.ts'
import { operate } from '../support/operated.ts'
import { type DatabaseKind, newPlace } from '../support/place.ts'
import { medianRssMiB } from '../support/rss.ts'

/** The memory of a service that started on an existing database and was idle for `seconds`. */
export async function idleMiB(
  form: Form,
  kind: DatabaseKind,
  seconds: number,
  postgres: PostgresServer,
): Promise<number> {
  await using place = await newPlace(kind, postgres)
  const installation = newInstallation(place)
  {
    await using first = await operate(form, installation)
    await first.stop()
  }
  await using service = await operate(form, installation)
  return await medianRssMiB(service.pid, seconds)
}
