import { globSync, rmSync } from 'node:fs'

/** The packaged Node.js comes with C headers, a third of its size, and nothing in this workspace compiles against them. */
for (const folder of globSync('node_modules/node-{bin-,}{darwin,linux,win}-*/{include,share}')) {
  rmSync(folder, { recursive: true })
}
