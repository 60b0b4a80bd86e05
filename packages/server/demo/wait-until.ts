/** Asks again and again until the condition holds; fails after half a minute, so that the demo always ends. */
export async function waitUntil(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadlineMs = performance.now() + 30_000
  while (!(await condition())) {
    if (performance.now() > deadlineMs) throw new Error(`waited 30 s in vain until ${what}`)
    await new Promise(resolve => setTimeout(resolve, 25))
  }
}
