import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Where the built dashboard lies: beside what was compiled for publishing, or where a clone builds it. */
export function dashboardFolder(): string {
  const published = fileURLToPath(new URL('./dashboard', import.meta.url))
  return existsSync(published) ? published : fileURLToPath(new URL('../../dashboard/dist', import.meta.url))
}
