import { bounceSentences } from './classify/bounce-category.ts'

/** What an outcome's category means, in one sentence for the person who reads the event. */
export function sentenceFor(category: unknown): string {
  return sentences.get(category) ?? 'The email was not delivered.'
}

const sentences = new Map<unknown, string>([
  ...Object.entries(bounceSentences),
  [
    'infrastructure',
    'The email could not be delivered because of a fault in a mail system or in the network.',
  ],
  ['policy', 'The email was refused by a rule of the receiving or the sending side.'],
  ['signing', 'The email could not be signed with DKIM and was not sent.'],
])
