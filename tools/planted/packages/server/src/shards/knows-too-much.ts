import { request } from 'node:http'
import { routes } from '@posthorn/contract' // expect no-restricted-imports
import { Client } from 'undici' // expect no-restricted-imports
import type { Clock } from '../context.ts'
import type { Queryable } from '../db/database.ts' // expect no-restricted-imports
import { parseShardList } from '../domain/shard-list.ts'
import { createApp } from '../http/app.ts' // expect no-restricted-imports
import { parseNamedKeys } from '../seal/named-keys.ts'

export const planted: unknown[] = [request, routes, Client, parseShardList, createApp, parseNamedKeys]
export type Planted = Queryable
export type Timed = Clock
