/** Long waits are so many times shorter: set while one works on a test, never for results that are kept. */
const haste = Number(process.env['POSTHORN_FAULT_HASTE'] ?? 1)

/** How long a fault lasts, in milliseconds. */
export function lasting(seconds: number): number {
  return (seconds * 1_000) / haste
}
