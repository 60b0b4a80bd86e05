import type { Client } from '@posthorn/client'
import type { Delivery } from '@posthorn/contract'
import { isTemporary, pauseBeforeTry } from './temporary-failure.ts'
import { pause } from './pause.ts'
import { printError } from './print.ts'

const pollMs = 1_000

const pauseMsMax = 10_000

export interface Following {
  readonly stop: AbortSignal
  /** Called when a request fails for the first time and is tried again. */
  readonly onWait: (error: Error) => void
}

/**
 * Yields each delivery of an endpoint after a sequence number, in order, until stopped. It waits if the service
 * restarts.
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

/** Repeats a request, with longer and longer pauses, until the service answers. Null if stopped. */
export async function untilServed<T>(ask: () => Promise<T>, { stop, onWait }: Following): Promise<T | null> {
  for (let tries = 0; !stop.aborted; tries++) {
    try {
      return await ask()
    } catch (error) {
      if (stop.aborted) return null
      if (!isTemporary(error)) throw error
      if (tries === 0) onWait(error)
      await pauseBeforeTry(tries, pauseMsMax, stop)
    }
  }
  return null
}

export function printWaiting(error: Error): void {
  printError(`Waiting for the service: ${error.message}`)
}

/** The sequence number of the newest delivery, minus `back`. */
export async function latestSequence(client: Client, id: string, back = 0): Promise<number> {
  const { data } = await client.listDeliveries({ params: { id }, query: { limit: 1 } })
  return Math.max(0, (data[0]?.sequence ?? 0) - back)
}
