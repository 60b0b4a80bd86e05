import { hash } from 'node:crypto'
import { routes } from '@posthorn/contract'
import { fastify } from 'fastify' // expect no-restricted-imports
import pg from 'pg' // expect no-restricted-imports
import { PGlite } from '@electric-sql/pglite' // expect no-restricted-imports
import { Client } from 'undici' // expect no-restricted-imports
import { plainArray } from '../db/array-literal.ts'
import type { Queryable } from '../db/database.ts'
import { openDatabase } from '../db/open-database.ts' // expect no-restricted-imports
import { claim } from '../dispatch/claim.ts' // expect no-restricted-imports
import type { Egress } from '../egress/egress.ts' // expect no-restricted-imports
import { createApp } from '../http/app.ts' // expect no-restricted-imports
import { openService } from '../service.ts' // expect no-restricted-imports

export const planted: unknown[] = [hash, routes, fastify, pg, PGlite, Client, plainArray, openDatabase, claim]
export const more: unknown[] = [createApp, openService]
export type Planted = [Queryable, Egress]
