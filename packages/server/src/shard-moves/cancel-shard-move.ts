import { hasFence, liftFence } from './fence.ts'
import { readServer } from './read-server.ts'
import { refusePendingPromotion } from './refuse-pending-promotion.ts'
import { withShardMoveLocks } from './shard-move-locks.ts'
import type { ShardMove } from './shard-servers.ts'

/**
 * Lets the source accept writes again, if the target is still a standby. While this command has the lock of the target, no
 * other one promotes it.
 * @throws Error if the target was promoted or may still be, or if no move is under way
 */
export async function cancelShardMove(move: ShardMove): Promise<void> {
  await withShardMoveLocks(move, async locked => {
    const target = await readServer(move.target)
    if (!target.isStandby) {
      throw new Error(
        `${target.name} has the shard already; to move it back, make ${move.source.name} its standby`,
      )
    }
    await refusePendingPromotion(move.target)
    const source = await readServer(move.source)
    if (source.systemId !== target.systemId) {
      throw new Error(`${target.name} belongs to another database cluster than ${source.name}`)
    }
    // an earlier command may have taken it out of the file of a server that did not read the file again
    if (!source.isReadOnly && !(await hasFence(move.source)))
      throw new Error('no move of this shard is under way')
    await liftFence(move, locked)
  })
}
