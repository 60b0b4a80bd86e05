const oneDigit = new Intl.NumberFormat('en', { maximumFractionDigits: 1 })
const units = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const

/** `812 bytes`, `1.2 MB`; powers of a thousand. */
export function formatBytes(bytes: number): string {
  const power = bytes < 1_000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3))
  return `${oneDigit.format(bytes / 1_000 ** power)} ${units[power]}`
}
