import * as z from 'zod'

const placementRow = z.object({
  account_id: z.uuid(),
  shard: z.number(),
  version: z.number(),
  moving: z.boolean(),
})

/** What shard 0 answers about its directory. */
export const directoryPage = z.object({
  installation_id: z.uuid(),
  version: z.number(),
  shards: z.array(z.object({ number: z.number(), state: z.enum(['open', 'closed']) })),
  placements: z.array(placementRow),
  more: z.boolean().optional(),
})

/** What a shard answers about itself. */
export const shardDescription = z.object({
  installation_id: z.uuid(),
  shard: z.number(),
  version: z.string(),
  schema: z.number(),
  accounts: z.number(),
})

export type PlacementRow = z.output<typeof placementRow>
export type DirectoryPage = z.output<typeof directoryPage>
export type ShardDescription = z.output<typeof shardDescription>
