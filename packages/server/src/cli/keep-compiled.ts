import { mkdirSync } from 'node:fs'
import { enableCompileCache, flushCompileCache } from 'node:module'
import { join } from 'node:path'

/**
 * Keeps what Node compiles from here on in the data directory, so that the next start reads it instead. There and not
 * in the system's folder for temporary files, because what lies there is run. `written` is to be called once all is
 * loaded: a process that is killed leaves what was written.
 */
export function keepCompiled(dataDir: string): { written: () => void } {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  } catch {
    // whoever needs the directory says what is wrong with it
    return { written: () => {} }
  }
  enableCompileCache(join(dataDir, 'compiled'))
  return { written: flushCompileCache }
}
