import type { FastifyRequest } from 'fastify'
import * as z from 'zod'
import type { Ctx } from '../context.ts'
import { operatorId } from '../domain/operator-id.ts'
import { isProxied } from './own-address.ts'
import type { OidcSecrets } from './oidc.ts'

/** How long a person may take at the provider. */
const lifetimeMs = 10 * 60_000

/** Not `Strict` like the session, because the person returns from another site. */
const attributes = 'Path=/; HttpOnly; SameSite=Lax'

type CookieCtx = Pick<Ctx, 'seal' | 'clock' | 'outside'>

/** Keeps the secrets of a sign-in in the browser that began it, encrypted. */
export function oidcCookie(ctx: CookieCtx, secrets: OidcSecrets): string {
  const content = JSON.stringify({ ...secrets, expiresAtMs: ctx.clock.nowMs() + lifetimeMs })
  return cookie(
    ctx,
    Buffer.from(ctx.seal.seal(...place, Buffer.from(content))).toString('base64url'),
    lifetimeMs,
  )
}

/** Removes the cookie. */
export function clearedOidcCookie(ctx: CookieCtx): string {
  return cookie(ctx, '', 0)
}

/** The secrets of the sign-in that this browser began; null if there is none, or if it took too long. */
export function readOidcCookie(
  ctx: CookieCtx,
  { headers }: Pick<FastifyRequest, 'headers'>,
): OidcSecrets | null {
  const pairs = (headers.cookie ?? '').split(';').map(pair => pair.trim().split('='))
  const [, value] = pairs.find(([name]) => name === cookieName(ctx)) ?? []
  if (value === undefined) return null
  try {
    const content = ctx.seal.open(...place, Buffer.from(value, 'base64url'))
    const { expiresAtMs, ...secrets } = sealed.parse(JSON.parse(Buffer.from(content).toString()))
    return ctx.clock.nowMs() < expiresAtMs ? secrets : null
  } catch {
    // altered, or from before the master key changed
    return null
  }
}

const place = ['sign_in', { accountId: operatorId }] as const

const sealed = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  expiresAtMs: z.number(),
})

function cookie(ctx: CookieCtx, value: string, maxAgeMs: number): string {
  const secure = isProxied(ctx.outside.publicUrl()) ? '; Secure' : ''
  return `${cookieName(ctx)}=${value}; ${attributes}; Max-Age=${maxAgeMs / 1_000}${secure}`
}

function cookieName({ outside }: CookieCtx): string {
  return isProxied(outside.publicUrl()) ? '__Host-posthorn-oidc' : 'posthorn-oidc'
}
