import { Resolver } from 'node:dns/promises'
import { Client } from 'undici'
import pg from 'pg' // expect no-restricted-imports
import type { Queryable } from '../db/database.ts' // expect no-restricted-imports
import { claim } from '../dispatch/claim.ts' // expect no-restricted-imports
import { createUrlPolicy } from '../domain/url-policy.ts'
import { getWebhook } from '../webhooks/get-webhook.ts' // expect no-restricted-imports

export const planted: unknown[] = [Resolver, Client, pg, claim, createUrlPolicy, getWebhook]
export type Planted = Queryable
