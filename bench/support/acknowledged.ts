import { until } from '../../packages/server/test/support/until.ts'
import type { ReceiverProcess } from './receiver-process.ts'

/** Waits until the receiver has acknowledged `count` requests of a group. */
export async function acknowledged(
  receiver: ReceiverProcess,
  group: string,
  count: number,
  timeoutMs = 180_000,
): Promise<void> {
  await until(
    `${count} deliveries are acknowledged under /${group}/`,
    async () => ((await receiver.ledger()).acknowledged[group] ?? 0) >= count,
    timeoutMs,
  )
}
