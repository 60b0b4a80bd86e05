import type { ServiceProcess } from '../../packages/server/test/support/service-process.ts'
import { until } from '../../packages/server/test/support/until.ts'

/** Waits until all of so many processes of a service can work; the first can when the service says where it listens. */
export async function allReady(service: ServiceProcess, processes: number): Promise<void> {
  if (processes === 1) return
  await until('all are ready', () => service.output().includes(`${processes} processes share the work`))
}
