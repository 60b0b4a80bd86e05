import { formatCount } from '../format/numbers.ts'

/** What a pause does, to read before the click. */
export function pauseWords(retentionDays: number): string {
  return `Events are stored and wait until you enable it. Nothing is lost for ${formatCount(retentionDays)} days.`
}

/** The message after the pause. */
export const pausedWords = 'Paused. Events wait until you enable it.'
