import { readFileSync } from 'node:fs' // expect no-restricted-imports
import { eventTypes } from '@posthorn/contract' // expect no-restricted-imports
import type { Queryable } from '../db/database.ts' // expect no-restricted-imports
import { AppError } from '../errors.ts' // expect no-restricted-imports
import { base62 } from './base62.ts'

export const planted: unknown[] = [readFileSync, eventTypes, AppError, base62]
export type Planted = Queryable
