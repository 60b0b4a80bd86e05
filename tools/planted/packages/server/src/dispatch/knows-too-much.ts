import { getWebhook } from '../webhooks/get-webhook.ts' // expect no-restricted-imports
import { accept } from '../outcomes/accept.ts' // expect no-restricted-imports
import { createApp } from '../http/app.ts' // expect no-restricted-imports
import { openDatabase } from '../db/open-database.ts' // expect no-restricted-imports
import { openEgress } from '../egress/open-egress.ts' // expect no-restricted-imports
import type { Egress } from '../egress/egress.ts'
import { Client } from 'undici' // expect no-restricted-imports
import pg from 'pg' // expect no-restricted-imports

export const planted: unknown[] = [getWebhook, accept, createApp, openDatabase, openEgress, Client, pg]
export type Planted = Egress
