import { createCipheriv } from 'node:crypto'
import { readFileSync } from 'node:fs' // expect no-restricted-imports
import type { Queryable } from '../db/database.ts' // expect no-restricted-imports

export const planted: unknown[] = [createCipheriv, readFileSync]
export type Planted = Queryable
