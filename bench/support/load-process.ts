import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { LoadPlan, LoadReport } from './load-plan.ts'

export interface LoadProcess extends Disposable {
  pid: number
  /**
   * Runs one plan, and answers when the last request has been answered. One at a time: for two streams beside each
   * other start two of these.
   */
  run(plan: LoadPlan): Promise<LoadReport>
}

/** Starts a load generator in a process of its own, so that it is not slowed by what it measures. */
export async function startLoadProcess(): Promise<LoadProcess> {
  const child = fork(new URL('load-generator.ts', import.meta.url), {
    execArgv: [],
    serialization: 'advanced',
  })
  await once(child, 'message')
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`the load generator ended with ${code}`)
  })
  // whoever runs a plan is told; disposing it is no fault
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
