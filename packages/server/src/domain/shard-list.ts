/** A shard as a front reaches it. */
export interface ShardAddress {
  readonly number: number
  /** The URL of its API, without a trailing slash. */
  readonly url: string
}

/**
 * Parses `number=url[,number=url…]`.
 *
 * @throws Error if one is malformed, a number or a URL is there twice, or shard 0 is missing
 * @example
 * parseShardList('0=http://10.0.0.1:4100,1=http://10.0.0.2:4100')
 */
export function parseShardList(text: string): ShardAddress[] {
  const shards = text.split(',').map(part => parseShard(part.trim()))
  for (const [at, { number, url }] of shards.entries()) {
    const earlier = shards.slice(0, at)
    if (earlier.some(other => other.number === number)) {
      throw new Error(
        `shard ${number} has two URLs; give one for each shard, such as that of a load balancer`,
      )
    }
    const twin = earlier.find(other => other.url === url)
    if (twin !== undefined) throw new Error(`shards ${twin.number} and ${number} have the same URL ${url}`)
  }
  if (!shards.some(({ number }) => number === 0)) {
    throw new Error('shard 0 is missing; it has the directory, which says where each account is')
  }
  return shards
}

function parseShard(part: string): ShardAddress {
  const [, digits = '', address = ''] = /^(\d{1,3})=(.+)$/.exec(part) ?? []
  const url = URL.canParse(address) ? new URL(address) : null
  if (digits === '' || url === null || !/^https?:$/.test(url.protocol) || url.href !== `${url.origin}/`) {
    // the URL may contain a password
    throw new Error(
      'each shard must have the form number=URL, with a number from 0 to 999 and an http or https URL without a path or a password, such as 1=http://10.0.0.2:4100',
    )
  }
  return { number: Number(digits), url: url.origin }
}
