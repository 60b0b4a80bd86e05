import { afterAll, beforeAll, expect } from 'vitest'
import { fault } from './fault.ts'
import { openSourceCopy, readMutations, type SourceCopy } from './source-copy.ts'

const mutations = readMutations()
let copy: SourceCopy

beforeAll(() => {
  copy = openSourceCopy()
})

afterAll(() => copy[Symbol.dispose]())

fault(
  'G10',
  'the selected tests pass when no guard is removed',
  async seen => {
    for (const [file, tests] of Map.groupBy(mutations, ({ file: of }) => of)) {
      const names = tests.map(({ caughtBy }) => caughtBy)
      expect(await copy.run(file, names)).toMatchObject({ passed: names, failed: [] })
    }
    seen(`${mutations.length} guards`)
  },
  1_800_000,
)

for (const mutant of mutations) {
  fault('G10', `a test fails when ${mutant.takenOut}`, async () => {
    copy.apply(mutant)
    const outcome = await copy.run(mutant.file, [mutant.caughtBy])
    copy.restore()
    expect(outcome).toMatchObject({ failed: [mutant.caughtBy] })
  })
}
