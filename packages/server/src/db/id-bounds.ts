/** The least and the greatest possible id. */
export const leastUuid = '00000000-0000-0000-0000-000000000000'
export const greatestUuid = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/*
 * SQL conditions for optional bounds of ids. `bound` is a parameter, such as `$3`, and may be null. A generic plan can use an
 * index for them, which `$3 is null or id >= $3` would prevent.
 */

export function fromId(id: string, bound: string): string {
  return `${id} >= coalesce(${bound}, '${leastUuid}'::uuid)`
}

export function upToId(id: string, bound: string): string {
  return `${id} <= coalesce(${bound}, '${greatestUuid}'::uuid)`
}

export function belowId(id: string, bound: string): string {
  return `${id} < coalesce(${bound}, '${greatestUuid}'::uuid)`
}
