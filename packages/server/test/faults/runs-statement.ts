/**
 * Whether bytes to the database run this statement of the hot path. It matches any day's partitions, with or without changes
 * to endpoints, because it is random which results share a statement. First attempts that succeeded have their own one.
 */
export function runsStatement(name: 'accept' | 'settle'): (request: Buffer) => boolean {
  const names = name === 'settle' ? '(settle|acknowledged)' : name
  const named = new RegExp(`${names}(_with_endpoints)?(_\\d{8})?\0`)
  return request => named.test(request.toString('latin1'))
}
