import type { Ctx } from './context.ts'
import { createUuidV7 } from './domain/uuid-v7.ts'

type IdSource = Pick<Ctx, 'clock' | 'random'>

/**
 * A new UUIDv7. There is one generator for each source of randomness, so that ids of the same millisecond keep their order
 * in lists.
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
