import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..', '..')
const server = join(root, 'packages', 'server')

/** How Posthorn is installed: as a clone or as the published package. */
export interface Form extends Disposable {
  name: 'from sources' | 'compiled'
  /** The path of the `posthorn` command. */
  bin: string
}

/** The sources of this clone, like `npm start`. */
export function fromSources(): Form {
  return { name: 'from sources', bin: join(server, 'bin', 'posthorn.js'), [Symbol.dispose]: () => {} }
}

/** Compiles the published package into a new folder, with the dependencies of this clone. Takes seconds. */
export function compiled(): Form {
  execFileSync(process.execPath, ['--conditions=@posthorn/source', join(server, 'build.ts')])
  const folder = mkdtempSync(join(tmpdir(), 'posthorn-compiled-'))
  for (const part of ['bin', 'dist', 'migrations', 'package.json'])
    cpSync(join(server, part), join(folder, part), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  return {
    name: 'compiled',
    bin: join(folder, 'bin', 'posthorn.js'),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  }
}
