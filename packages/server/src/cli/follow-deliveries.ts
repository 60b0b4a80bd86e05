import type { Client } from '@posthorn/client'
import type { Delivery } from '@posthorn/contract'

const pollMs = 1_000

/** Every delivery of an endpoint beyond a sequence number, in order, as they come, until told to stop. */
export async function* followDeliveries(
  client: Client,
  id: string,
  afterSequence: number,
  stop: AbortSignal,
): AsyncGenerator<Delivery, void> {
  let seen = afterSequence
  while (!stop.aborted) {
    const query = { after_sequence: seen, limit: 250 }
    try {
      for await (const delivery of client.each(
        'listDeliveries',
        { params: { id }, query },
        { signal: stop },
      )) {
        yield delivery
        seen = delivery.sequence
      }
    } catch (error) {
      if (stop.aborted) return
      throw error
    }
    await pause(pollMs, stop)
  }
}

/** Waits, or no longer once it is told to stop. */
export async function pause(ms: number, stop: AbortSignal): Promise<void> {
  await new Promise<void>(resolve => {
    const done = (): void => {
      clearTimeout(timer)
      stop.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    stop.addEventListener('abort', done)
    if (stop.aborted) done()
  })
}

/** The sequence number of the youngest delivery so far, less `back`. */
export async function latestSequence(client: Client, id: string, back = 0): Promise<number> {
  const { data } = await client.listDeliveries({ params: { id }, query: { limit: 1 } })
  return Math.max(0, (data[0]?.sequence ?? 0) - back)
}
