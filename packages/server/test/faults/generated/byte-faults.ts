import fc from 'fast-check'
import { fault } from '../fault.ts'
import { readers } from './readers.ts'
import { newSeed } from './seed.ts'

/** Gives each reader of foreign bytes its share of `count` inputs. */
export function byteFaults(count: number): void {
  const seed = newSeed()
  for (const { name, inputs, read, share } of readers) {
    fault(
      'G2',
      `parsers of untrusted bytes do not crash or hang, and throw only the errors they declare`,
      async seen => {
        const numRuns = Math.round((count * share) / 1_000)
        const anything = fc.uint8Array({ maxLength: 300 }).map(bytes => Buffer.from(bytes))
        // records are parsed before they get there, so they never contain arbitrary bytes
        const all = name.startsWith('records') ? inputs : fc.oneof({ weight: 9, arbitrary: inputs }, anything)
        await fc.assert(
          fc.asyncProperty(all, async bytes => await read(bytes)),
          { numRuns, seed },
        )
        seen(`${name}: ${numRuns.toLocaleString('en')} inputs`)
      },
      3_600_000,
    )
  }
}
