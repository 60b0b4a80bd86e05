import { failure } from './screen.ts'

/**
 * Runs a demo, closes everything that it opened, and exits: with 0 if it returned no differences. Prints differences,
 * errors and interruptions as failures.
 */
export async function tellStory(
  story: (opened: AsyncDisposableStack) => Promise<string[]>,
  ending: () => void,
): Promise<never> {
  // an interrupted demo may still wait for something
  process.exit(await tell(story, ending))
}

async function tell(
  story: (opened: AsyncDisposableStack) => Promise<string[]>,
  ending: () => void,
): Promise<number> {
  await using opened = new AsyncDisposableStack()
  try {
    const differences = await Promise.race([story(opened), interrupted()])
    for (const difference of differences) failure(difference)
    if (differences.length > 0) return 1
    ending()
    return 0
  } catch (error) {
    failure(error instanceof Error ? error.message : String(error))
    return 1
  }
}

/** Rejects when the user stops the demo, so that the demo closes what it has opened. */
async function interrupted(): Promise<never> {
  return await new Promise((_, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM']) {
      process.once(signal, () => reject(new Error(`stopped by ${signal}`)))
    }
  })
}
