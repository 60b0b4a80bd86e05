import type { Sentence } from '../words/sentence.ts'
import { Time } from './time.tsx'

/** A sentence with its moments in the reader's zone. */
export function SentenceText({ sentence }: { sentence: Sentence }) {
  return sentence.map((part, place) =>
    typeof part === 'string' ? (
      part
    ) : (
      // parts have no identity but their place
      <Time key={place} at={part.at} relative={part.relative === true} />
    ),
  )
}
