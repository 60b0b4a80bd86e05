import { failure } from './screen.ts'

/**
 * Tells a story and ends the process: with 0 when nothing in it went otherwise than promised, after it has closed what
 * the story opened. `differences` of the story are printed as failures; so is an interruption.
 */
export async function tellStory(
  story: (opened: AsyncDisposableStack) => Promise<string[]>,
  ending: () => void,
): Promise<never> {
  // an interrupted story may still be waiting for something
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

/** Rejects when somebody stops the demo, so that it clears away what it has opened. */
async function interrupted(): Promise<never> {
  return await new Promise((_, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM']) {
      process.once(signal, () => reject(new Error(`stopped by ${signal}`)))
    }
  })
}
