import { bounceSentences } from './classify/bounce-category.ts'

/** The meaning of an outcome's category, in one sentence for people. */
export function sentenceFor(category: unknown): string {
  return sentences.get(category) ?? 'The email was not delivered.'
}

const sentences = new Map<unknown, string>([
  ...Object.entries(bounceSentences),
  [
    'infrastructure',
    'The email could not be delivered because of an error in a mail system or in the network.',
  ],
  ['policy', 'A rule of the receiving or the sending system refused the email.'],
  ['signing', 'The email could not be signed with DKIM and was not sent.'],
])
