import type { Ctx } from './context.ts'
import { createUuidV7 } from './domain/uuid-v7.ts'

type IdSource = Pick<Ctx, 'clock' | 'random'>

/**
 * A new UUIDv7. One generator for each source of chance, so that two ids made within a millisecond keep their order
 * and lists show them as they were made.
 */
export function newId(ctx: IdSource): string {
  const generate =
    generators.get(ctx.random) ??
    createUuidV7(
      () => ctx.clock.nowMs(),
      length => ctx.random.bytes(length),
    )
  generators.set(ctx.random, generate)
  return generate()
}

const generators = new WeakMap<IdSource['random'], () => string>()
