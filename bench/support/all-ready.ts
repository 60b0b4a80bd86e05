import type { ServiceProcess } from '../../packages/server/test/support/service-process.ts'
import { until } from '../../packages/server/test/support/until.ts'

/** Waits until all processes of a service are ready. The first is ready when the service prints its URL. */
export async function allReady(service: ServiceProcess, processes: number): Promise<void> {
  if (processes === 1) return
  await until('all are ready', () => service.output().includes(`${processes} processes share the work`))
}
