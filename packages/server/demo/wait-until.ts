/** Polls until the condition holds; fails after 30 seconds, so that the demo always ends. */
export async function waitUntil(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadlineMs = performance.now() + 30_000
  while (!(await condition())) {
    if (performance.now() > deadlineMs) throw new Error(`timed out after 30 s before ${what}`)
    await new Promise(resolve => setTimeout(resolve, 25))
  }
}
