import { formatCount } from '../format/numbers.ts'

/** `4 of 10 slots used` */
export function slotWords(used: number, max: number): string {
  return `${formatCount(used)} of ${formatCount(max)} slots used`
}
