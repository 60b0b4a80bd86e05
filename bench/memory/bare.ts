import { fork } from 'node:child_process'
import { once } from 'node:events'
import { until } from '../../packages/server/test/support/until.ts'
import type { Certificate } from '../../packages/server/test/egress/certificate.ts'
import { startReceiverProcess } from '../support/receiver-process.ts'
import { medianRssMiB } from '../support/rss.ts'
import { startHanging } from './hanging.ts'

export interface BareLoad {
  warmUpUrl: string
  warmUps: number
  urls: string[]
  ca: string | null
}

/** KiB per request in flight, each to a different origin, in a process with only undici clients. */
export async function bareKiB(
  origins: number,
  warmUps: number,
  seconds: number,
  certificate: Certificate | null,
): Promise<number> {
  using receiver = await startReceiverProcess()
  using hanging = await startHanging(origins, certificate)
  const child = fork(new URL('bare-requests.ts', import.meta.url), {
    execArgv: ['--conditions=@posthorn/source'],
  })
  try {
    const load: BareLoad = {
      warmUpUrl: `http://127.0.0.1:${receiver.port}`,
      warmUps,
      urls: hanging.urls,
      ca: certificate?.cert ?? null,
    }
    child.send(load)
    await once(child, 'message')
    const idle = await medianRssMiB(child.pid ?? 0, seconds)
    child.send('go')
    await until('all requests hang', async () => (await hanging.count()) >= origins || undefined, 120_000)
    return ((await medianRssMiB(child.pid ?? 0, seconds)) - idle) * (1_024 / origins)
  } finally {
    child.kill('SIGKILL')
  }
}
