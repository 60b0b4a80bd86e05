import type { Reporter, TestModule } from 'vitest/node'

/**
 * Prints as the last lines which tests were not run because a program is missing, and `N passed, N failed, N skipped`. A
 * test that cannot run prints a line that starts with `not run: `.
 */
export class TallyReporter implements Reporter {
  readonly #notRun = new Set<string>()

  onUserConsoleLog({ content }: { content: string }): void {
    for (const line of content.split('\n')) if (line.startsWith('not run: ')) this.#notRun.add(line)
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const { passed, failed, skipped } = tally(modules)
    for (const line of this.#notRun) process.stdout.write(`\n${line}`)
    const more = skipped === 0 ? '' : `, ${skipped} skipped`
    process.stdout.write(`\n${passed} passed, ${failed + unhandledErrors.length} failed${more}\n`)
  }
}

/** Counts tests by result. A file or group that could not run counts as one failure. */
function tally(modules: readonly TestModule[]): { passed: number; failed: number; skipped: number } {
  let passed = 0
  let failed = 0
  let skipped = 0
  for (const module of modules) {
    failed += module.errors().length
    for (const suite of module.children.allSuites()) failed += suite.errors().length
    for (const test of module.children.allTests()) {
      const { state } = test.result()
      if (state === 'passed') passed++
      else if (state === 'skipped') skipped++
      else failed++
    }
  }
  return { passed, failed, skipped }
}
