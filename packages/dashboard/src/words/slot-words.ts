import { formatCount } from '../format/numbers.ts'

/** `4 of 10 slots used`; a dash while the number is unknown. */
export function slotWords(used: number | undefined, max: number): string {
  return `${used === undefined ? '—' : formatCount(used)} of ${formatCount(max)} slots used`
}
