import type { Queryable } from '../db/database.ts'
import { claim } from '../dispatch/claim.ts' // expect no-restricted-imports

export const planted: unknown[] = [claim]
export type Planted = Queryable
