import { createAccount } from '../accounts/create-account.ts' // expect no-restricted-imports
import type { Queryable } from '../db/database.ts' // expect no-restricted-imports
import { accountCode } from '../domain/account-code.ts'
import { ShardClient } from '../shards/shard-client.ts'

export const planted: unknown[] = [createAccount, accountCode, ShardClient]
export type Planted = Queryable
