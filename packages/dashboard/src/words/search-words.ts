import type { Wanted } from '../search/find-ids.ts'

/** The message if nothing was found. `days`: how long events are kept. */
export function nothingFound(wanted: readonly Wanted[], days: number): string {
  const kind = wanted[0]?.kind
  switch (kind) {
    case undefined:
      return 'Nothing has this name, and the text contains no id, address or URL.'
    case 'url':
      return 'No endpoint has this URL.'
    case 'recipient':
      return `Nothing for this recipient in the last ${days} days. Older events are deleted.`
    case 'sequence':
      return `Nothing with this number in the last ${days} days. Open an endpoint first: each endpoint has its own numbers.`
    case 'account':
    case 'api_key':
    case 'endpoint':
    case 'signing_key':
    case 'replay':
      return 'Nothing with this id, or it is not yours.'
    case 'delivery':
    case 'event':
    case 'email':
      return `Nothing with this id in the last ${days} days. Older events are deleted.`
  }
}
