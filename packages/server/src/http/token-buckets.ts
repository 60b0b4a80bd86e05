import type { Clock } from '../context.ts'

interface Bucket {
  tokens: number
  atMs: number
}

export interface BucketSize {
  /** How fast a bucket refills. Above 0. */
  readonly perSecond: number
  /** How many tokens a bucket holds. */
  readonly burst: number
}

const bucketsMax = 10_000

/** Token buckets by name, in the memory of this process. */
export class TokenBuckets {
  readonly #size: BucketSize
  readonly #clock: Clock
  readonly #buckets = new Map<string, Bucket>()

  constructor(size: BucketSize, clock: Clock) {
    this.#size = size
    this.#clock = clock
  }

  /** Takes a token if there is one. `waitSeconds` is the time until the next one. */
  take(name: string): { isAllowed: boolean; left: number; fullInSeconds: number; waitSeconds: number } {
    const bucket = this.#refilled(name)
    const isAllowed = bucket.tokens >= 1
    if (isAllowed) bucket.tokens -= 1
    const { burst, perSecond } = this.#size
    return {
      isAllowed,
      left: Math.floor(bucket.tokens),
      fullInSeconds: Math.ceil((burst - bucket.tokens) / perSecond),
      waitSeconds: Math.ceil((1 - bucket.tokens) / perSecond),
    }
  }

  /** Returns a token. */
  giveBack(name: string): void {
    const bucket = this.#refilled(name)
    bucket.tokens = Math.min(this.#size.burst, bucket.tokens + 1)
  }

  #refilled(name: string): Bucket {
    const { burst, perSecond } = this.#size
    const nowMs = this.#clock.monotonicMs()
    const bucket = this.#buckets.get(name) ?? this.#newBucket(name, nowMs)
    const elapsedSeconds = Math.max(0, nowMs - bucket.atMs) / 1000
    bucket.tokens = Math.min(burst, bucket.tokens + elapsedSeconds * perSecond)
    bucket.atMs = nowMs
    return bucket
  }

  #newBucket(name: string, nowMs: number): Bucket {
    if (this.#buckets.size >= bucketsMax) this.#forgetFull(nowMs)
    const bucket = { tokens: this.#size.burst, atMs: nowMs }
    this.#buckets.set(name, bucket)
    return bucket
  }

  /** Removes unused buckets that are full again, because a new one is equal. */
  #forgetFull(nowMs: number): void {
    const fullAfterMs = (this.#size.burst / this.#size.perSecond) * 1000
    for (const [name, bucket] of this.#buckets)
      if (nowMs - bucket.atMs >= fullAfterMs) this.#buckets.delete(name)
  }
}
