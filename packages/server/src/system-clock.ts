import { randomBytes } from 'node:crypto'
import type { Clock, Random } from './context.ts'

export const systemClock: Clock = { nowMs: () => Date.now(), monotonicMs: () => performance.now() }

export const systemRandom: Random = { fraction: () => Math.random(), bytes: length => randomBytes(length) }
