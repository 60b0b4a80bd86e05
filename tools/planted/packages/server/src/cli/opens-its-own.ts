import pg from 'pg' // expect no-restricted-imports
import { Client } from 'undici' // expect no-restricted-imports
import { openService } from '../service.ts'

export const planted: unknown[] = [pg, Client, openService]
export const url = process.env['DATABASE_URL'] // expect no-process-env
