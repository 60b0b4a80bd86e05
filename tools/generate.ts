import { readFile, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { printConfiguration } from './print-configuration.ts'
import { printDeliveryStates } from './print-delivery-states.ts'
import { printOpenApi } from './print-openapi.ts'
import { printOperations } from './print-operations.ts'
import { printSchema } from './print-schema.ts'
import { printReliability } from './reliability/print-reliability.ts'

/** The generated documents, each with the function that prints it. */
const documents: ReadonlyArray<{ path: string; print: () => string | Promise<string> }> = [
  { path: 'docs/openapi.json', print: printOpenApi },
  { path: 'docs/schema.sql', print: printSchema },
  { path: 'docs/delivery-states.md', print: printDeliveryStates },
  { path: 'docs/configuration.md', print: printConfiguration },
  { path: 'docs/maintaining/reliability.md', print: printReliability },
  { path: 'packages/dashboard/src/api/operations.ts', print: printOperations },
]

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } })
const root = new URL('../', import.meta.url)

for (const { path, print } of documents) {
  const file = new URL(path, root)
  const fresh = await print()
  const written = await readFile(file, 'utf8').catch(() => null)
  if (fresh === written) continue
  if (values.check) {
    process.exitCode = 1
    process.stderr.write(`${path} is stale: run npm run generate and commit the result\n`)
  } else {
    await writeFile(file, fresh)
    process.stdout.write(`wrote ${path}\n`)
  }
}
