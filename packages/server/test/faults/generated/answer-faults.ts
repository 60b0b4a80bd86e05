import fc from 'fast-check'
import { expect } from 'vitest'
import { fault } from '../fault.ts'
import { httpAnswers } from './http-answers.ts'
import { readByNode, readByUs, type Reading } from './read-by-node.ts'
import { newSeed } from './seed.ts'

const ways = {
  whole: (bytes: Buffer) => [bytes],
  'byte by byte': (bytes: Buffer) => Array.from(bytes, byte => Buffer.from([byte])),
}

/** Gives so many answers to our reader and to Node's, whole and byte by byte. */
export function answerFaults(count: number): void {
  for (const [name, cut] of Object.entries(ways)) {
    const seed = newSeed()
    fault(
      'G11',
      `no answer, ${name}, is read otherwise than by llhttp and leaves its connection in use`,
      async seen => {
        const met = { both: 0, reused: 0, refused: 0 }
        await fc.assert(
          fc.asyncProperty(httpAnswers, async bytes => {
            const [ours, theirs] = [readByUs(cut(bytes)), await readByNode(cut(bytes))]
            compare(bytes, ours, theirs)
            if (ours.isComplete && theirs.isComplete) met.both++
            if (ours.mayReuse) met.reused++
            if (ours.status === null) met.refused++
          }),
          { numRuns: count, seed },
        )
        // a comparison of nothing but refusals would show nothing
        expect(met.both).toBeGreaterThan(count / 20)
        expect(met.reused).toBeGreaterThan(count / 50)
        seen(
          `${count.toLocaleString('en')} ${name}: ${met.both} complete for both, ${met.reused} reused, ${met.refused} refused`,
        )
      },
      3_600_000,
    )
  }
}

function compare(bytes: Buffer, ours: Reading, theirs: Reading): void {
  const shown = JSON.stringify({ bytes: bytes.toString('latin1'), ours, theirs })
  if (ours.status !== null && theirs.status !== null) {
    expect(ours.status, shown).toBe(theirs.status)
    if (ours.isComplete && theirs.isComplete) expect(ours.body, shown).toBe(theirs.body)
  }
  if (!ours.mayReuse) return
  expect(theirs.mayReuse, shown).toBe(true)
  expect(ours.endsAt, shown).toBe(theirs.endsAt)
}
