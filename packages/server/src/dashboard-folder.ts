import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The folder of the built dashboard: in the published package, or in the clone. */
export function dashboardFolder(): string {
  const published = fileURLToPath(new URL('./dashboard', import.meta.url))
  return existsSync(published) ? published : fileURLToPath(new URL('../../dashboard/dist', import.meta.url))
}
