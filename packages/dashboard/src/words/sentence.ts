import { formatTime, type Zone } from '../format/times.ts'

/** A moment within a sentence; `relative` adds the distance from now. */
export interface Moment {
  /** RFC 3339. */
  readonly at: string
  readonly relative?: boolean
}

/** A sentence with moments, shown in the reader's zone. */
export type Sentence = readonly (string | Moment)[]

/** The sentence as plain text, for titles, live regions and print. */
export function sentenceText(sentence: Sentence, zone: Zone, nowMs: number): string {
  return sentence.map(part => (typeof part === 'string' ? part : formatTime(part.at, zone, nowMs))).join('')
}
