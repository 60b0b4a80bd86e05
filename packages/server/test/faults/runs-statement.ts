/** Whether what is sent to the database runs this statement of the hot path, whatever day's partitions it writes to. */
export function runsStatement(name: 'accept' | 'settle'): (request: Buffer) => boolean {
  const named = new RegExp(`${name}(_\\d{8})?\0`)
  return request => named.test(request.toString('latin1'))
}
