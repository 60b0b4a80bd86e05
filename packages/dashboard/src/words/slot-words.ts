import { formatCount } from '../format/numbers.ts'

/** `4 of 10 endpoints` */
export function slotWords(used: number, max: number): string {
  return `${formatCount(used)} of ${formatCount(max)} endpoints`
}
