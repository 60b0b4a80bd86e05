/** The database of a shard. */
export interface ShardDatabaseUrl {
  readonly number: number
  readonly url: string
}

/**
 * Parses `0=postgres://…,1=postgres://…`. A URL may name several hosts, separated by commas.
 * @throws Error with the reason; it contains no URL, because a URL may contain a password
 */
export function parseShardDatabases(text: string): ShardDatabaseUrl[] {
  const shards = text.split(/,(?=\d+=)/).map((part): ShardDatabaseUrl => {
    const [, number = '', url = ''] = /^(\d{1,3})=(postgres(?:ql)?:\/\/.+)$/.exec(part.trim()) ?? []
    if (url === '') throw new Error('write 0=postgres://…,1=postgres://… with numbers from 0 to 999')
    return { number: Number(number), url }
  })
  const numbers = new Set(shards.map(({ number }) => number))
  if (numbers.size < shards.length) throw new Error('a shard is named twice')
  if (!numbers.has(0)) throw new Error('shard 0 is missing; it says where accounts are')
  return shards
}
