/**
 * Whether what is sent to the database runs this statement of the hot path, whatever day's partitions it writes to, and
 * whether or not results change endpoints: which of those that end together share a statement is chance. First attempts
 * that succeeded are settled by a statement of their own.
 */
export function runsStatement(name: 'accept' | 'settle'): (request: Buffer) => boolean {
  const names = name === 'settle' ? '(settle|acknowledged)' : name
  const named = new RegExp(`${names}(_with_endpoints)?(_\\d{8})?\0`)
  return request => named.test(request.toString('latin1'))
}
