/**
 * Rewrites an RFC 3339 timestamp so that `Date.parse` can read it: letters become upper case, and a leap second (§5.7)
 * becomes the following second. Any other text is returned unchanged.
 * @example
 * canonicalTimestamp('2016-12-31t23:59:60z') // '2017-01-01T00:00:00.000Z'
 */
export function canonicalTimestamp(text: string): string {
  const found = pattern.exec(text)
  if (found === null) return text
  const [, minute = '', second = '', rest = ''] = found
  const upper = text.toUpperCase()
  if (second !== '60') return upper === text ? text : upper
  const beforeMs = Date.parse(`${minute}:59${rest}`.toUpperCase())
  if (Number.isNaN(beforeMs)) return text
  return leapAfter.test(new Date(beforeMs).toISOString()) ? new Date(beforeMs + 1_000).toISOString() : text
}

const pattern = /^(\d{4}-\d\d-\d\d[Tt]\d\d:\d\d):(\d\d)((?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d))$/

/** Leap seconds occur at the end of June and December, in UTC. */
const leapAfter = /-(?:06-30|12-31)T23:59:59/
