import { sign } from 'node:crypto'
import type { Ctx } from '../context.ts'
import { dkimKeyFor } from '../domains/signing-domain.ts'
import type { MailKeyContext } from '../mail/mail-key.ts'
import { currentMailKey } from '../mail/mail-key.ts'
import { SealError } from '../seal/seal.ts'
import { findSuppression, type Suppressed } from '../suppressions/find-suppression.ts'
import { normalEmailAddress } from '../domain/email-address.ts'
import { urlAtHost } from '../domain/url-at-host.ts'
import type { ClaimedHandover } from './claim.ts'
import { type ComposeOptions, composeMessage } from './compose-message.ts'
import type { Message } from './submit.ts'

/** A message to offer, or why there is none. */
export type Prepared =
  | { readonly kind: 'message'; readonly message: Message }
  | { readonly kind: 'suppressed'; readonly by: Suppressed['failure'] }
  /** The account's key for the domain cannot be used. */
  | { readonly kind: 'unsignable' }

export type PrepareContext = MailKeyContext & Pick<Ctx, 'outside'>

/** Checks that the recipient is not suppressed, and composes the message. */
export async function prepareHandover(ctx: PrepareContext, handover: ClaimedHandover): Promise<Prepared> {
  const { accountId, address, content } = handover
  const suppressed = await findSuppression(ctx, accountId, address, content.unsubscribe ?? null)
  if (suppressed !== null) return { kind: 'suppressed', by: suppressed.failure }
  const from = normalEmailAddress(content.from.address)
  const dkim = await usableKey(dkimKeyFor(ctx, accountId, from.slice(from.lastIndexOf('@') + 1)))
  if (dkim === 'unusable') return { kind: 'unsignable' }
  const tokenKey = await currentMailKey(ctx, accountId, 'token')
  const returnPath = ctx.outside.returnPath()
  const publicUrl = ctx.outside.publicUrl()
  const linkHost = dkim?.linkHost ?? null
  const message = composeMessage(handover, {
    returnPathDomain: returnPath === null ? null : (dkim?.returnPathDomain ?? returnPath.domain),
    linkUrl: linkHost === null ? publicUrl : urlAtHost(publicUrl, linkHost),
    tokenKey,
    dkim,
  })
  return { kind: 'message', message }
}

/** Tries the key, so that a broken one does not look like a broken email. */
async function usableKey(
  found: Promise<ComposeOptions['dkim']>,
): Promise<ComposeOptions['dkim'] | 'unusable'> {
  let dkim: ComposeOptions['dkim']
  try {
    dkim = await found
  } catch (error) {
    if (error instanceof SealError) return 'unusable'
    throw error
  }
  if (dkim === null) return null
  try {
    sign('sha256', Buffer.alloc(1), dkim.privateKeyPem)
    return dkim
  } catch {
    return 'unusable'
  }
}
