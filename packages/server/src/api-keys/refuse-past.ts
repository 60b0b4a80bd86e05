import type { Ctx } from '../context.ts'
import { AppError } from '../errors.ts'

/** An expiry in the past is always a mistake. */
export function refusePast(ctx: Pick<Ctx, 'clock'>, field: string, at: string | null): void {
  if (at === null || Date.parse(at) > ctx.clock.nowMs()) return
  const message = 'must be in the future'
  throw new AppError('validation_failed', `${field}: ${message}.`, [{ path: `/${field}`, message }])
}
