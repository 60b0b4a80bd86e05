/**
 * Processes each event once, even if it is delivered several times.
 *
 * @module
 */
export { memoryStore } from './memory-store.ts'
export { type PostgresQuery, postgresStore, postgresStoreTable } from './postgres-store.ts'
export { type DedupeStore, type Processed, processOnce, type ProcessOnceOptions } from './process-once.ts'
export { WebhookStoreError } from './store-error.ts'
export { type RedisClient, redisStore } from './redis-store.ts'
