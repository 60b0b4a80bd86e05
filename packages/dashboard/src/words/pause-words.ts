import { formatCount } from '../format/numbers.ts'

/** What a pause does, before it does. */
export function pauseWords(retentionDays: number): string {
  return `Events are stored and wait until you enable it. Nothing is lost for ${formatCount(retentionDays)} days.`
}

/** That it is paused, once it is. */
export const pausedWords = 'Paused. Events wait until you enable it.'
