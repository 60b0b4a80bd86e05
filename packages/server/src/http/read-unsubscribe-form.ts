import type { FastifyRequest } from 'fastify'
import { parseTypeId } from '../domain/type-id.ts'
import { readForm } from './read-form.ts'
import { rawBody } from './read-request.ts'

/** What a recipient asks for: to unsubscribe, or to lift suppressions (UUIDs) that they made. */
export type UnsubscribeWish =
  | { readonly source: 'one_click' | 'link'; readonly isOfAll: boolean }
  | { readonly undo: readonly string[] }

/**
 * Reads the form of the page, or a one-click request. Null for any other body. Some mail programs send the one-click request
 * with a line break at its end, as plain text, or without a media type.
 */
export async function readUnsubscribeForm(request: FastifyRequest): Promise<UnsubscribeWish | null> {
  if (isOneClick(rawBody(request))) return { source: 'one_click', isOfAll: false }
  const form = await readForm(request)
  if (form?.get('List-Unsubscribe') === 'One-Click') return { source: 'one_click', isOfAll: false }
  const scope = form?.get('scope')
  if (scope === 'list' || scope === 'all') return { source: 'link', isOfAll: scope === 'all' }
  const undo = (form?.getAll('undo') ?? []).map(id =>
    typeof id === 'string' ? parseTypeId('sup', id) : null,
  )
  return undo.length > 0 && undo.every(id => id !== null) ? { undo } : null
}

function isOneClick(body: Uint8Array): boolean {
  return body.length <= 64 && Buffer.from(body).toString('latin1').trim() === 'List-Unsubscribe=One-Click'
}
