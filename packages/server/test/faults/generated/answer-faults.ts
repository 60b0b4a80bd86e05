import fc from 'fast-check'
import { expect } from 'vitest'
import { fault } from '../fault.ts'
import { httpAnswers } from './http-answers.ts'
import { readByNode, readByUs, type Reading } from './read-by-node.ts'
import { newSeed } from './seed.ts'

/** How an answer is split into pieces. */
const ways: Record<string, fc.Arbitrary<(bytes: Buffer) => Buffer[]>> = {
  whole: fc.constant(bytes => [bytes]),
  'in pieces': fc
    .array(fc.nat(), { minLength: 1, maxLength: 8 })
    .map(places => bytes => cutAt(bytes, new Set(places.map(place => place % (bytes.length + 1))))),
  'byte by byte': fc.constant(bytes => Array.from(bytes, byte => Buffer.from([byte]))),
}

function cutAt(bytes: Buffer, places: ReadonlySet<number>): Buffer[] {
  const at = [0, ...[...places].sort((a, b) => a - b), bytes.length]
  return at.slice(1).map((to, n) => bytes.subarray(at[n], to))
}

/** Parses `count` answers with our parser and Node's, whole and in pieces. */
export function answerFaults(count: number): void {
  for (const [name, cuts] of Object.entries(ways)) {
    const seed = newSeed()
    fault(
      'G11',
      `an answer sent ${name} is read as llhttp reads it, or its connection is not reused`,
      async seen => {
        const met = { both: 0, reused: 0, refused: 0 }
        const methods = fc.constantFrom<['POST', 'POST', 'HEAD']>('POST', 'POST', 'HEAD')
        await fc.assert(
          fc.asyncProperty(httpAnswers, cuts, methods, async (bytes, cut, method) => {
            const [ours, theirs] = [readByUs(cut(bytes), method), await readByNode(cut(bytes), method)]
            const shown = JSON.stringify({ bytes: bytes.toString('latin1'), method, ours, theirs })
            compare(ours, theirs, shown)
            expectSameWhole(ours, readByUs([bytes], method), shown)
            if (ours.isComplete && theirs.isComplete) met.both++
            if (ours.mayReuse) met.reused++
            if (ours.status === null) met.refused++
          }),
          { numRuns: count, seed },
        )
        // comparing only refusals would show nothing
        expect(met.both).toBeGreaterThan(count / 20)
        expect(met.reused).toBeGreaterThan(count / 50)
        seen(
          `${count.toLocaleString('en')} answers ${name}: ${met.both} complete in both parsers, ${met.reused} reusable, ${met.refused} rejected`,
        )
      },
      3_600_000,
    )
  }
}

function compare(ours: Reading, theirs: Reading, shown: string): void {
  if (ours.status !== null && theirs.status !== null) {
    expect(ours.status, shown).toBe(theirs.status)
    expect(ours.interim, shown).toEqual(theirs.interim)
    if (ours.isComplete && theirs.isComplete) expect(ours.body, shown).toBe(theirs.body)
  }
  if (!ours.mayReuse) return
  expect(theirs.mayReuse, shown).toBe(true)
  expect(ours.endsAt, shown).toBe(theirs.endsAt)
  expect(ours.retryAfter, shown).toBe(theirs.retryAfter)
}

/** How an answer is split must not matter. */
function expectSameWhole(ours: Reading, whole: Reading, shown: string): void {
  const { endsAt: _, body: __, ...read } = ours
  expect(whole, shown).toMatchObject(read)
  if (ours.isComplete) expect(whole.body, shown).toBe(ours.body)
}
