import { randomBytes } from 'node:crypto'
import { readConfig } from '../../src/config.ts'
import { type FrontParts, type FrontPartsOptions, openFrontParts } from '../../src/front/open-front-parts.ts'
import { createLog } from '../../src/log.ts'
import { until } from './until.ts'

/**
 * How many shards are behind the front that the tests talk to. 0 means that they talk to the service itself. It comes from
 * `POSTHORN_TEST_THROUGH_FRONT`.
 */
export function shardsBehindFront(): number {
  return Number(process.env['POSTHORN_TEST_THROUGH_FRONT'] ?? '0')
}

export function isThroughFront(): boolean {
  return shardsBehindFront() > 0
}

/** The keys of the fronts and shards that tests start so. */
export const shardKeys = `test:${randomBytes(32).toString('base64')}`

/** Opens a front before shards with these URLs, in the order of their numbers. It does not listen yet. */
export async function openFrontBefore(
  urls: readonly string[],
  { adminToken, publicUrl }: { adminToken: string; publicUrl: string },
  { settings = {}, ...options }: FrontPartsOptions & { settings?: Record<string, string> } = {},
): Promise<FrontParts> {
  const { config } = readConfig({
    ...settings,
    POSTHORN_ROLE: 'front',
    POSTHORN_SHARDS: urls.map((url, number) => `${number}=${url}`).join(','),
    POSTHORN_SHARD_KEYS: shardKeys,
    POSTHORN_ADMIN_TOKEN: adminToken,
    POSTHORN_PUBLIC_URL: publicUrl,
  })
  const parts = await openFrontParts(config, createLog('silent'), options)
  // on a loaded machine, the shards may answer late
  await until('the front knows its shards', () => isReady(parts))
  return parts
}

function isReady({ front: { directory, shards } }: FrontParts): boolean {
  return directory.isKnown && [...shards.values()].every(({ trouble }) => trouble === null)
}
