import { Resolver } from 'node:dns/promises'
import { attemptMessage } from '@posthorn/contract/plain'
import { Client } from 'undici' // expect no-restricted-imports
import { routes } from '@posthorn/contract' // expect no-restricted-imports
import pg from 'pg' // expect no-restricted-imports
import type { Queryable } from '../db/database.ts' // expect no-restricted-imports
import { claim } from '../dispatch/claim.ts' // expect no-restricted-imports
import { createUrlPolicy } from '../domain/url-policy.ts'
import { getWebhook } from '../webhooks/get-webhook.ts' // expect no-restricted-imports

export const planted: unknown[] = [
  Resolver,
  attemptMessage,
  Client,
  routes,
  pg,
  claim,
  createUrlPolicy,
  getWebhook,
]
export type Planted = Queryable
