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

/** Sentences in a row, each with a space after it. */
export function Sentences({ sentences }: { sentences: readonly Sentence[] }) {
  return sentences.map((sentence, place) => (
    // sentences have no identity but their place
    <span key={place}>
      <SentenceText sentence={sentence} />{' '}
    </span>
  ))
}
