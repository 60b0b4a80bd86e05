import { cpSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'
import { openDatabase } from '../../src/db/open-database.ts'
import { layOutSchema } from './schema-template.ts'

/** The content of a copy: the schema and its partitions, or nothing. */
type Content = 'schema' | 'nothing'

/**
 * Fills a data directory with a copy of an embedded database, because creating one takes seconds. The copy is as after the
 * first start, or has no schema.
 */
export async function copyEmbeddedDatabase(dataDir: string, content: Content): Promise<void> {
  cpSync(await embeddedTemplate(content), dataDir, { recursive: true })
}

/** The first test of a run that needs the template creates it. If several do so at the same time, one of them wins. */
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
