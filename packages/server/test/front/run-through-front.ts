import { afterAll, beforeAll, describe } from 'vitest'

const variable = 'POSTHORN_TEST_THROUGH_FRONT'

/**
 * Runs test files with a front between the tests and the service.
 *
 * @param shards how many shards are behind the front
 * @param files below `packages`
 */
export function runThroughFront(shards: number, files: readonly string[]): void {
  describe.each(files)(`through a front with ${shards} shards: %s`, async file => {
    const use = (count: string | undefined): void => {
      if (count === undefined) delete process.env[variable]
      else process.env[variable] = count
    }
    const before = process.env[variable]
    beforeAll(() => use(String(shards)))
    afterAll(() => use(before))
    use(String(shards))
    // the query makes it another module, because Vitest runs each module once
    await import(`../../../${file}?shards=${shards}`)
    use(before)
  })
}
