import type { Client } from '@posthorn/client'
import type { Delivery } from '@posthorn/contract'
import { isPassing, pauseBeforeTry } from './passing-failure.ts'
import { pause } from './pause.ts'
import { complain } from './print.ts'

const pollMs = 1_000

const pauseMsMax = 10_000

export interface Following {
  readonly stop: AbortSignal
  /** The service does not answer, or cannot now: it is asked again. */
  readonly onWait: (error: Error) => void
}

/**
 * Every delivery of an endpoint beyond a sequence number, in order, as they come, until told to stop. A service that
 * restarts in between is waited for.
 */
export async function* followDeliveries(
  client: Client,
  id: string,
  afterSequence: number,
  following: Following,
): AsyncGenerator<Delivery, void> {
  const { stop } = following
  let seen = afterSequence
  while (!stop.aborted) {
    const page = await untilServed(
      async () =>
        await client.listDeliveries(
          { params: { id }, query: { after_sequence: seen, limit: 250 } },
          { signal: stop },
        ),
      following,
    )
    for (const delivery of page?.data ?? []) {
      yield delivery
      seen = delivery.sequence
    }
    if (page !== null && page.next_cursor === null) await pause(pollMs, stop)
  }
}

/** Asks until the service answers, with longer and longer pauses; null when told to stop. */
export async function untilServed<T>(ask: () => Promise<T>, { stop, onWait }: Following): Promise<T | null> {
  for (let tries = 0; !stop.aborted; tries++) {
    try {
      return await ask()
    } catch (error) {
      if (stop.aborted) return null
      if (!isPassing(error)) throw error
      if (tries === 0) onWait(error)
      await pauseBeforeTry(tries, pauseMsMax, stop)
    }
  }
  return null
}

export function sayThatItWaits(error: Error): void {
  complain(`Waiting for the service: ${error.message}`)
}

/** The sequence number of the youngest delivery so far, less `back`. */
export async function latestSequence(client: Client, id: string, back = 0): Promise<number> {
  const { data } = await client.listDeliveries({ params: { id }, query: { limit: 1 } })
  return Math.max(0, (data[0]?.sequence ?? 0) - back)
}
