import { createHash } from 'node:crypto'
import type { Item } from './item.ts'

/**
 * Adds an id made from the text if the outcome has none, so that the service ignores it when it is reported again.
 * Returns a reason instead if the item cannot be an outcome.
 */
export function withOutcomeId({ text }: Item): { readonly json: string } | { readonly reason: string } {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return { reason: `is not valid JSON: ${error instanceof Error ? error.message : String(error)}` }
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { reason: 'must be a JSON object' }
  }
  if ('outcome_id' in value || Object.keys(value).length === 0) return { json: text }
  const id = createHash('sha256').update(text).digest('hex').slice(0, 32)
  // the other fields keep their exact text, because parsing may change a number
  return { json: `{"outcome_id":"cli-${id}",${text.slice(1)}` }
}
