import type { Replay } from '@posthorn/contract'
import type { Ctx } from '../context.ts'
import { readReplay } from './row.ts'

/** One replay with its progress and results. */
export async function getReplay(ctx: Ctx, accountId: string, replayId: string): Promise<Replay> {
  return await readReplay(ctx, accountId, replayId)
}
