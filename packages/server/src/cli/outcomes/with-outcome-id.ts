import { createHash } from 'node:crypto'
import type { Item } from './item.ts'

/**
 * An outcome with an id, so that the service ignores it when it is reported again; one that has none gets one made from
 * its bytes. What cannot be an outcome is told apart by its reason.
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
  // the rest stays as it was written: a number read and written again may be another one
  return { json: `{"outcome_id":"cli-${id}",${text.slice(1)}` }
}
