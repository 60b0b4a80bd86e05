import { greatestUuid, leastUuid } from './uuid-bounds.ts'

/*
 * Bounds of ids in SQL that may be missing: `bound` is a parameter, as in `$3`, or null. An index takes them whatever the value is, also by
 * a plan that is made once for all values, which `$3 is null or id >= $3` would not let it.
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
