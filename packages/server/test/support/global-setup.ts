import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { installTestPrograms } from '../../../../tools/test-programs/test-programs.ts'
import { findPostgres, startPostgres } from './postgres-server.ts'
import { makeSchemaTemplate } from './schema-template.ts'

/** The PostgreSQL servers that the tests of this run share: the oldest supported version and the newest available one. */
export interface TestServer {
  version: string
  /** The URL of its maintenance database. */
  url: string
}

declare module 'vitest' {
  export interface ProvidedContext {
    postgresServers: TestServer[]
    /** A folder that the tests of this run share. It is removed at the end. */
    scratchFolder: string
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  installTestPrograms()
  const found = findPostgres()
  const chosen = found.length > 2 ? [found.at(0), found.at(-1)].filter(one => one !== undefined) : found
  const majors = chosen.map(one => Number.parseInt(one.version, 10))
  if (process.env['CI'] !== undefined && (!majors.includes(15) || majors.every(major => major < 18))) {
    throw new Error(`CI tests on PostgreSQL 15 and 18; found ${majors.join(', ') || 'none'}`)
  }
  const servers = await Promise.all(
    chosen.map(async one => {
      const server = await startPostgres(one)
      await makeSchemaTemplate(server)
      return server
    }),
  )
  project.provide(
    'postgresServers',
    servers.map(server => ({ version: server.version, url: server.url('postgres') })),
  )
  const scratchFolder = mkdtempSync(join(tmpdir(), 'posthorn-tests-'))
  project.provide('scratchFolder', scratchFolder)
  // hundreds of processes load the same sources, so cache the compiled code
  process.env['NODE_COMPILE_CACHE'] ??= join(scratchFolder, 'compiled')
  return async () => {
    rmSync(scratchFolder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
    for (const server of servers) await server[Symbol.asyncDispose]()
  }
}
