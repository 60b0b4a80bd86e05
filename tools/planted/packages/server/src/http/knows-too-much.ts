import { fastify } from 'fastify'
import pg from 'pg' // expect no-restricted-imports
import type { Queryable } from '../db/database.ts' // expect no-restricted-imports
import { claim } from '../dispatch/claim.ts' // expect no-restricted-imports
import { openEgress } from '../egress/open-egress.ts' // expect no-restricted-imports
import { createSeal } from '../seal/seal.ts' // expect no-restricted-imports
import { openService } from '../service.ts' // expect no-restricted-imports
import { getWebhook } from '../webhooks/get-webhook.ts'

export const planted: unknown[] = [fastify, pg, claim, openEgress, createSeal, openService, getWebhook]
export type Planted = Queryable
