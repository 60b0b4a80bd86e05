import pg from 'pg'
import { Client } from 'undici' // expect no-restricted-imports
import { typeId } from '../domain/type-id.ts' // expect no-restricted-imports
import { getWebhook } from '../webhooks/get-webhook.ts' // expect no-restricted-imports

export const planted: unknown[] = [pg, Client, typeId, getWebhook]
