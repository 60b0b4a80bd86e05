import type { Sentence } from '../words/sentence.ts'
import { Time } from './time.tsx'

/** A sentence, its moments in the reader's zone. */
export function SentenceText({ sentence }: { sentence: Sentence }) {
  return sentence.map((part, place) =>
    typeof part === 'string' ? (
      part
    ) : (
      // a sentence is made anew as a whole
      <Time key={place} at={part.at} relative={part.relative === true} />
    ),
  )
}
