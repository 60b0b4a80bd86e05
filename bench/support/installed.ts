import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..', '..')
const server = join(root, 'packages', 'server')

/** The two forms in which an operator has Posthorn: a clone, and the package that is published. */
export interface Form extends Disposable {
  name: 'from sources' | 'compiled'
  /** The command that `posthorn` is. */
  bin: string
}

/** The sources of this clone, as `npm start` runs them. */
export function fromSources(): Form {
  return { name: 'from sources', bin: join(server, 'bin', 'posthorn.js'), [Symbol.dispose]: () => {} }
}

/** What is published, compiled into a folder of its own, with the dependencies of this clone; takes seconds. */
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
