import { mkdirSync } from 'node:fs'
import { enableCompileCache, flushCompileCache } from 'node:module'
import { join } from 'node:path'

/**
 * Caches compiled code in the data directory for faster starts. The system's temporary folder is not safe, because Node
 * runs this code. Call `written` when everything is loaded, so that the cache survives a killed process.
 */
export function keepCompiled(dataDir: string): { written: () => void } {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  } catch {
    // the code that needs the directory reports the error
    return { written: () => {} }
  }
  enableCompileCache(join(dataDir, 'compiled'))
  return { written: flushCompileCache }
}
