import type { Reporter, TestModule } from 'vitest/node'

/** Prints `N passed, N failed` as the last line, for whoever reads the output of a run and not its exit code. */
export class TallyReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const { passed, failed } = tally(modules)
    process.stdout.write(`\n${passed} passed, ${failed + unhandledErrors.length} failed\n`)
  }
}

/** Tests by result. A file or group that could not run at all counts as one that failed. */
function tally(modules: readonly TestModule[]): { passed: number; failed: number } {
  let passed = 0
  let failed = 0
  for (const module of modules) {
    failed += module.errors().length
    for (const suite of module.children.allSuites()) failed += suite.errors().length
    for (const test of module.children.allTests()) {
      const { state } = test.result()
      if (state === 'passed') passed++
      else if (state !== 'skipped') failed++
    }
  }
  return { passed, failed }
}
