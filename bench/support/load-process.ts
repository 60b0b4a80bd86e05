import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { LoadPlan, LoadReport } from './load-plan.ts'

export interface LoadProcess extends Disposable {
  pid: number
  /**
   * Runs one plan and resolves after the last response. It runs one plan at a time, so start two load generators for two
   * concurrent streams.
   */
  run(plan: LoadPlan): Promise<LoadReport>
}

/** Starts a load generator in its own process, so that the service does not slow it down. */
export async function startLoadProcess(): Promise<LoadProcess> {
  const child = fork(new URL('load-generator.ts', import.meta.url), {
    execArgv: [],
    serialization: 'advanced',
  })
  await once(child, 'message')
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`the load generator ended with ${code}`)
  })
  // `run` reports the error, and disposing is not an error
  ended.catch(() => {})
  return {
    pid: child.pid ?? 0,
    run: async plan => {
      const reported = once(child, 'message') as Promise<[LoadReport]>
      child.send(plan)
      const [report] = await Promise.race([reported, ended])
      return report
    },
    [Symbol.dispose]: () => child.kill('SIGKILL'),
  }
}
