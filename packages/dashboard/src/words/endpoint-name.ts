import type { Webhook } from '@posthorn/contract'
import { addressOf } from './url-words.ts'

const lengthMax = 80

/**
 * What people call an endpoint: the start of its description or, without one, the host and path of its URL.
 * @example
 * endpointName({ description: 'CRM', url: 'https://crm.acme.test/hooks' }) // 'CRM'
 */
export function endpointName({ description, url }: Pick<Webhook, 'description' | 'url'>): string {
  const name = description.replaceAll(directionMarks, '').replaceAll(/\s+/g, ' ').trim()
  const characters = Array.from(name === '' ? addressOf(url) : name)
  return characters.length <= lengthMax
    ? characters.join('')
    : `${beforeLastSpace(characters.slice(0, lengthMax - 1).join(''))}…`
}

/** The text without its last word, which may be cut; the text itself if it is one long word. */
function beforeLastSpace(text: string): string {
  const end = text.lastIndexOf(' ')
  return end < lengthMax / 2 ? text : text.slice(0, end)
}

/** They would reorder the sentence around the name. */
const directionMarks = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
