import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Ctx } from '../context.ts'
import { readMailToken } from '../mail/read-mail-token.ts'
import { unsubscribe } from '../suppressions/unsubscribe.ts'
import type { OutcomeIntake } from '../outcomes/intake.ts'
import { ownAddress } from './own-address.ts'
import { noAllowances, pageHeaders } from './page-headers.ts'
import { rawBody } from './read-request.ts'
import { deadLinkPage, misunderstoodPage, unsubscribedPage, unsubscribePage } from './unsubscribe-page.ts'

export interface UnsubscribeOptions {
  readonly ctx: Ctx
  readonly intake: OutcomeIntake
}

/**
 * Serves the unsubscribe links in emails. `GET` shows a page. `POST` unsubscribes, from the page's form or with the mail
 * program's one-click request (RFC 8058). Only the token in the URL is needed: no cookies and no redirects.
 */
export function serveUnsubscribe(app: FastifyInstance, { ctx, intake }: UnsubscribeOptions): void {
  const url = '/u/*'
  const send = (request: FastifyRequest, reply: FastifyReply, status: number, page: string): FastifyReply => {
    const isSecure = ownAddress(request, ctx.outside.publicUrl())?.isSecure === true
    return reply
      .code(status)
      .headers({ ...pageHeaders(noAllowances, { isSecure }), ...ofPrivatePage })
      .send(page)
  }

  app.get(url, async (request, reply) => {
    const recipient = await readMailToken(ctx, tokenOf(request), 'unsubscribe')
    if (recipient === null) return send(request, reply, 404, deadLinkPage())
    return send(request, reply, 200, unsubscribePage(recipient.list))
  })

  app.post(url, async (request, reply) => {
    const wish = wishOf(await readForm(request))
    if (wish === null) return send(request, reply, 400, misunderstoodPage())
    const recipient = await readMailToken(ctx, tokenOf(request), 'unsubscribe')
    if (recipient === null) return send(request, reply, 404, deadLinkPage())
    await unsubscribe({ ...ctx, outcomes: intake }, recipient, wish)
    return send(request, reply, 200, unsubscribedPage(wish.isOfAll ? null : recipient.list))
  })

  app.route({
    url,
    method: ['PUT', 'PATCH', 'DELETE', 'OPTIONS'],
    handler: (request, reply) =>
      send(request, reply.header('allow', 'GET, HEAD, POST'), 405, misunderstoodPage()),
  })
}

const ofPrivatePage = { 'cache-control': 'no-store', 'x-robots-tag': 'noindex' }

function tokenOf(request: FastifyRequest): string {
  return (request.params as { '*': string })['*']
}

/** The fields of a form in one of the two encodings of RFC 8058, or null for any other. */
async function readForm(request: FastifyRequest): Promise<FormData | null> {
  const headers = { 'content-type': request.contentType ?? '' }
  try {
    return await new Response(new Uint8Array(rawBody(request)), { headers }).formData()
  } catch {
    return null
  }
}

interface Wish {
  readonly source: 'one_click' | 'link'
  readonly isOfAll: boolean
}

function wishOf(form: FormData | null): Wish | null {
  if (form?.get('List-Unsubscribe') === 'One-Click') return { source: 'one_click', isOfAll: false }
  const scope = form?.get('scope')
  return scope === 'list' || scope === 'all' ? { source: 'link', isOfAll: scope === 'all' } : null
}
