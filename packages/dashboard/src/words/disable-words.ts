import { formatCount } from '../format/numbers.ts'

/** What disabling does, to read before the click. */
export function disableWords(retentionDays: number): string {
  return `Events are stored and wait until you enable it. Nothing is lost for ${formatCount(retentionDays)} days.`
}

/** The message after an endpoint was disabled. */
export const disabledMessage = 'Disabled. Events wait until you enable it.'
