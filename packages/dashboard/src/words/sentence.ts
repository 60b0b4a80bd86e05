import { formatTime, type Zone } from '../format/times.ts'

/** A moment within a sentence; `relative` adds how far away it is. */
export interface Moment {
  /** RFC 3339. */
  readonly at: string
  readonly relative?: boolean
}

/** A sentence with moments in it, which each reader sees in a zone of their own. */
export type Sentence = readonly (string | Moment)[]

/** The sentence as plain text, for titles, live regions and paper. */
export function sentenceText(sentence: Sentence, zone: Zone, nowMs: number): string {
  return sentence.map(part => (typeof part === 'string' ? part : formatTime(part.at, zone, nowMs))).join('')
}
