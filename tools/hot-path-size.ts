import { readdirSync, readFileSync } from 'node:fs'

/** The folders between the request and the settled result, without `domain` and `http`, which have other users. */
const folders = ['outcomes', 'dispatch', 'egress', 'collections']

// prints the number of files and lines of the hot path without tests, and the files that are too long
let files = 0
let lines = 0
for (const folder of folders) {
  const root = new URL(`../packages/server/src/${folder}/`, import.meta.url)
  for (const name of readdirSync(root).filter(one => one.endsWith('.ts') && !one.endsWith('.test.ts'))) {
    const length = readFileSync(new URL(name, root), 'utf8').split('\n').length - 1
    files++
    lines += length
    if (length > 250) process.stdout.write(`${folder}/${name} has ${length} lines\n`)
  }
}
process.stdout.write(`${files} files, ${lines} lines\n`)
