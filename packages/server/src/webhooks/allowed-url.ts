import type { Ctx } from '../context.ts'
import { checkEndpointUrl } from '../domain/url-policy.ts'
import { AppError } from '../errors.ts'

/** Returns the URL in the form to store. @throws AppError if the operator's policy does not allow it */
export function allowedUrl(ctx: Pick<Ctx, 'settings'>, url: string): string {
  const verdict = checkEndpointUrl(url, ctx.settings.urlPolicy)
  if (verdict.ok) return verdict.url
  throw new AppError('url_not_allowed', verdict.reason, [{ path: '/url', message: verdict.reason }])
}
