import type { Ctx } from '../context.ts'
import { AppError } from '../errors.ts'
import type { ProviderTools } from './provider.ts'

const keptMax = 100
const keptMs = 3_600_000

/** Reads what providers publish, such as certificates. */
export function openProviderReader({
  outside,
  clock,
}: Pick<Ctx, 'outside' | 'clock'>): Pick<ProviderTools, 'read' | 'readKept'> {
  const kept = new Map<string, { readonly text: Promise<string>; readonly untilMs: number }>()
  const read = async (url: string): Promise<string> => {
    const { get, userAgent } = outside.probe
    const exchange = await get({ url, headers: ['user-agent', userAgent] })
    if (exchange.outcome === 'failure' || exchange.responseTruncated || exchange.responseBody === null) {
      const why = exchange.error?.code ?? 'the answer is too long or empty'
      throw new AppError('overloaded', `Posthorn cannot read from ${new URL(url).hostname}: ${why}.`)
    }
    return exchange.responseBody
  }
  return {
    read,
    readKept: async url => {
      const nowMs = clock.monotonicMs()
      const known = kept.get(url)
      if (known !== undefined && known.untilMs > nowMs) return await known.text
      const text = read(url)
      if (kept.size >= keptMax) kept.clear()
      kept.set(url, { text, untilMs: nowMs + keptMs })
      try {
        return await text
      } catch (error) {
        kept.delete(url)
        throw error
      }
    },
  }
}
