import * as z from 'zod'
import { operatorMethods, operatorRoles } from '../domain/operator-person.ts'

// What fronts and commands ask shards, under `/internal/`. Both sides use these schemas.

const shardNumber = z.int().min(0).max(999)

export const shardDescription = z.object({
  installation_id: z.uuid(),
  shard: shardNumber,
  /** The version of Posthorn. */
  version: z.string(),
  /** The number of the newest migration. */
  schema: z.int(),
  /** With deleted accounts whose data is still there. */
  accounts: z.int(),
})

/** The operator who has the session or named token of a request. */
export const operatorHere = z.object({
  name: z.string(),
  method: z.enum(operatorMethods),
  role: z.enum(operatorRoles),
})

export const joinRequest = z.strictObject({ installation_id: z.uuid(), shard: shardNumber })

export const shardState = z.strictObject({ number: shardNumber, state: z.enum(['open', 'closed']) })

const placement = z.object({
  account_id: z.uuid(),
  shard: shardNumber,
  version: z.int(),
  moving: z.boolean(),
})

export const directoryPage = z.object({
  installation_id: z.uuid(),
  /** If it changes, earlier versions mean nothing any more. */
  epoch: z.string(),
  /** The next `after`. */
  version: z.int(),
  shards: z.array(shardState),
  placements: z.array(placement),
  more: z.boolean(),
})

/** The `Idempotency-Key` of the request that a front serves, and the digest of that request. */
export const once = z.strictObject({ key: z.string(), digest: z.string() }).optional()

/** The answer to a new placement. */
export const reservedPlacement = z.object({ account_id: z.uuid(), shard: shardNumber })

export const newPlacement = z.strictObject({ account_id: z.uuid(), shard: shardNumber, once })

export const placementChanges = z.strictObject({
  /** The version of the directory that the caller has read. */
  version: z.int(),
  changes: z.array(z.strictObject({ account_id: z.uuid(), shard: shardNumber.nullable() })).max(10_000),
})

export const newVersion = z.object({ version: z.int() })

export const accountsHere = z.object({ account_ids: z.array(z.uuid()), more: z.boolean() })

/** Accounts that a front asks about, and those of them that exist. */
export const knownAccounts = z.object({ account_ids: z.array(z.uuid()).max(1_000) })

export const accountHere = z.object({ state: z.enum(['present', 'deleted', 'unknown']) })

/** The answer with status 409. */
export const refusalHere = z.object({ code: z.string(), detail: z.string() })

export type ShardDescription = z.output<typeof shardDescription>
export type DirectoryPage = z.output<typeof directoryPage>
export type Placement = z.output<typeof placement>
export type Once = z.output<typeof once>
