import type { ServiceProcess } from '../support/service-process.ts'

/** The current sum of a metric over all its labels, from `/metrics`. */
export async function metric(service: ServiceProcess, name: string): Promise<number> {
  const text = await (await fetch(`${service.url}/metrics`)).text()
  const values = [...text.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'gm'))].map(match =>
    Number(match[1]),
  )
  if (values.length === 0) throw new Error(`/metrics has no ${name}`)
  return values.reduce((sum, value) => sum + value, 0)
}
