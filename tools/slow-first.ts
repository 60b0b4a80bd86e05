import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Folders whose files start many processes or browsers. */
const slow = [
  '/dashboard/test/',
  '/test/cli/',
  '/test/dispatch/',
  '/test/stats/',
  '/test/health/',
  '/test/operations/',
  '/test/faults/',
  '/test/deploy/',
  '/test/mail/',
]

/** Runs slow files first, so that none starts when the other workers have finished. */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number =>
      slow.some(folder => moduleId.includes(folder)) ? 0 : 1
    const sorted = await super.sort(files)
    return sorted.toSorted((a, b) => rank(a) - rank(b))
  }
}
