import { cpSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'
import { openDatabase } from '../../src/db/open-database.ts'
import { layOutSchema } from './schema-template.ts'

/** What a copy has: the schema and its partitions, or nothing. */
type Content = 'schema' | 'nothing'

/**
 * Fills a data directory with an embedded database that is as it was after its first start, or as empty as before it,
 * but made before: making one takes seconds, copying it a tenth of one.
 */
export async function copyEmbeddedDatabase(dataDir: string, content: Content): Promise<void> {
  cpSync(await embeddedTemplate(content), dataDir, { recursive: true })
}

/** Made by the first test of a run that needs it. Of several that make it at the same time one is kept. */
async function embeddedTemplate(content: Content): Promise<string> {
  const folder = inject('scratchFolder')
  const template = join(folder, `embedded-${content}`)
  if (existsSync(template)) return template
  const draft = mkdtempSync(join(folder, 'draft-'))
  const database = await openDatabase({ url: null, dataDir: draft, connectionsMax: 1, onLost: () => {} })
  if (content === 'schema') await layOutSchema(database)
  await database[Symbol.asyncDispose]()
  try {
    renameSync(draft, template)
  } catch (error) {
    if (!existsSync(template)) throw error
    rmSync(draft, { recursive: true })
  }
  return template
}
