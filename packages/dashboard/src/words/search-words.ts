import { visibleText } from '../format/visible-text.ts'
import type { Wanted } from '../search/find-ids.ts'

/** A pasted log line is not repeated. */
const quotedMax = 80

/** The message if nothing was found, with what can be. `days`: how long events are kept. */
export function nothingFound(text: string, wanted: readonly Wanted[], days: number): string {
  const quoted = text.trim()
  const what = quoted.length > quotedMax ? '' : ` for “${visibleText(quoted)}”`
  return `Nothing found${what}. ${hintFor(wanted[0], days)}`
}

function hintFor(first: Wanted | undefined, days: number): string {
  if (first === undefined || first.isGuess === true) {
    return 'You can search for the name or URL of an endpoint, a page, an email address, or the id of an email, event or delivery.'
  }
  switch (first.kind) {
    case 'url':
      return 'No endpoint has this URL.'
    case 'recipient':
      return `No suppression, no sent email, and no event of the last ${days} days has this address.`
    case 'sequence':
      return `Nothing has this number in the last ${days} days. Open an endpoint first: each endpoint has its own numbers.`
    case 'account':
    case 'api_key':
    case 'endpoint':
    case 'signing_key':
    case 'replay':
      return 'Nothing has this id, or it is not yours.'
    case 'delivery':
    case 'event':
    case 'email':
      return `Nothing has this id in the last ${days} days. Older events are deleted.`
  }
}
