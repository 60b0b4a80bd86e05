import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { findSender } from '../accounts/find-sender.ts'
import type { Ctx } from '../context.ts'
import { preferredLanguage } from '../domain/preferred-language.ts'
import { typeId } from '../domain/type-id.ts'
import { type MailRecipient, readMailToken } from '../mail/read-mail-token.ts'
import type { OutcomeIntake } from '../outcomes/intake.ts'
import { findSuppression } from '../suppressions/find-suppression.ts'
import { findUnsubscription } from '../suppressions/find-unsubscription.ts'
import { undoUnsubscription } from '../suppressions/undo-unsubscription.ts'
import { unsubscribe } from '../suppressions/unsubscribe.ts'
import { isProxied, ownAddress } from './own-address.ts'
import { closedPageHeaders } from './page-headers.ts'
import { readUnsubscribeForm } from './read-unsubscribe-form.ts'
import {
  deadLinkPage,
  misunderstoodPage,
  questionPage,
  undonePage,
  unsubscribedPage,
  type UnsubscribePage,
  type UnsubscribeParties,
} from './unsubscribe-page.ts'
import { type UnsubscribeLanguage, unsubscribeLanguages } from './unsubscribe-words.ts'
import { WrongSecretLimit } from './wrong-secret-limit.ts'

/** Links that lead nowhere, from one address. Mail services open old links for many people. */
const deadLinksPerMinute = 600

export interface UnsubscribeOptions {
  readonly ctx: Ctx
  readonly intake: OutcomeIntake
}

/**
 * Serves the unsubscribe links in emails. `GET` shows a page and changes nothing. `POST` unsubscribes, from the page's form or
 * with the mail program's one-click request (RFC 8058), or undoes that. Only the token in the URL is needed: no cookies and no
 * redirects. So there is no session that another website could misuse.
 */
export function serveUnsubscribe(app: FastifyInstance, { ctx, intake }: UnsubscribeOptions): void {
  const url = '/u/*'
  const send = (request: FastifyRequest, reply: FastifyReply, status: number, page: UnsubscribePage) =>
    reply
      .code(status)
      .headers(headersOf(ctx, request, page))
      .send(page.html)

  const limit = new WrongSecretLimit(deadLinksPerMinute, ctx.clock)
  const recipientOf = async (request: FastifyRequest): Promise<MailRecipient | null> =>
    await limit.attempt(
      request,
      isProxied(ctx.outside.publicUrl()),
      async () => await readMailToken(ctx, tokenOf(request), 'unsubscribe'),
    )

  app.get(url, async (request, reply) => {
    const recipient = await recipientOf(request)
    if (recipient === null) return send(request, reply, 404, deadLinkPage(languageOf(request)))
    return send(request, reply, 200, await presentPage(ctx, recipient, languageOf(request)))
  })

  app.post(url, async (request, reply) => {
    const language = languageOf(request)
    const wish = await readUnsubscribeForm(request)
    if (wish === null) return send(request, reply, 400, misunderstoodPage(language))
    const recipient = await recipientOf(request)
    if (recipient === null) return send(request, reply, 404, deadLinkPage(language))
    if ('undo' in wish) {
      const actor = { kind: 'recipient', requestId: request.id } as const
      await undoUnsubscription({ ...ctx, actor }, recipient, wish.undo)
      return send(request, reply, 200, await pageAfterUndo(ctx, recipient, language))
    }
    await unsubscribe({ ...ctx, outcomes: intake }, recipient, wish)
    return send(request, reply, 200, await presentPage(ctx, recipient, language))
  })

  app.route({
    url,
    method: ['PUT', 'PATCH', 'DELETE', 'OPTIONS'],
    handler: (request, reply) =>
      send(request, reply.header('allow', 'GET, HEAD, POST'), 405, misunderstoodPage(languageOf(request))),
  })
}

/** The question, or that it has been answered. */
async function presentPage(
  ctx: Ctx,
  recipient: MailRecipient,
  language: UnsubscribeLanguage,
): Promise<UnsubscribePage> {
  const parties = await partiesOf(ctx, recipient)
  const found = await findUnsubscription(ctx, recipient)
  if (found === null) return questionPage(language, parties)
  return unsubscribedPage(language, parties, { ...found, undo: found.undo.map(id => typeId('sup', id)) })
}

/** Promises emails again only if no other suppression stops them. */
async function pageAfterUndo(
  ctx: Ctx,
  recipient: MailRecipient,
  language: UnsubscribeLanguage,
): Promise<UnsubscribePage> {
  const { accountId, address, list } = recipient
  const parties = await partiesOf(ctx, recipient)
  const stillStopped = await findSuppression(ctx, accountId, address, { list })
  if (stillStopped === null) return undonePage(language, parties)
  const found = await findUnsubscription(ctx, recipient)
  return unsubscribedPage(language, parties, { isOfAll: found?.isOfAll ?? true, undo: [] })
}

async function partiesOf(ctx: Ctx, recipient: MailRecipient): Promise<UnsubscribeParties> {
  const { address, list, isErased } = recipient
  return { sender: await findSender(ctx, recipient), address: isErased ? null : address, list }
}

function tokenOf(request: FastifyRequest): string {
  return (request.params as { '*': string })['*']
}

function languageOf({ headers }: FastifyRequest): UnsubscribeLanguage {
  return preferredLanguage(headers['accept-language'], unsubscribeLanguages)
}

function headersOf(
  ctx: Ctx,
  request: FastifyRequest,
  { style, language }: UnsubscribePage,
): Record<string, string> {
  const isSecure = ownAddress(request, ctx.outside.publicUrl())?.isSecure === true
  return {
    ...closedPageHeaders(style, { isSecure }),
    'content-language': language,
    vary: 'Accept-Language',
    'x-robots-tag': 'noindex',
  }
}
