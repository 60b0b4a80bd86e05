import { randomBytes } from 'node:crypto'
import type { Clock, Random } from './context.ts'

export const realClock: Clock = { nowMs: () => Date.now(), monotonicMs: () => performance.now() }

export const realRandom: Random = { fraction: () => Math.random(), bytes: length => randomBytes(length) }
