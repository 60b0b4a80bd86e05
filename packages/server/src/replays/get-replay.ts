import type { Replay } from '@posthorn/contract'
import type { Ctx } from '../context.ts'
import { readReplay, toReplay } from './row.ts'

/** One replay and how far it came. */
export async function getReplay(ctx: Ctx, accountId: string, replayId: string): Promise<Replay> {
  return toReplay(await readReplay(ctx, accountId, replayId))
}
