/** Divides long waits, for working on a test. Never use it for results that are kept. */
const haste = Number(process.env['POSTHORN_FAULT_HASTE'] ?? 1)

/** The duration of a fault in milliseconds. */
export function lasting(seconds: number): number {
  return (seconds * 1_000) / haste
}
