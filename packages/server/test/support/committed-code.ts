import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../..', import.meta.url))

/** A commit of this repository in a folder, which runs with the packages installed here. */
export interface CommittedCode extends Disposable {
  /** The path of its `main.ts`. */
  main: string
  addMigration(name: string, sql: string): void
}

/** @throws Error if the commit is not in the fetched history */
export function layOutCommit(commit: string): CommittedCode {
  const folder = mkdtempSync(join(tmpdir(), 'posthorn-commit-'))
  const archive = join(folder, 'code.tar')
  try {
    execFileSync('git', ['archive', '--output', archive, commit], { cwd: root, stdio: 'pipe' })
  } catch (error) {
    rmSync(folder, { recursive: true })
    const advice = `commit ${commit} is not here: fetch the whole history (git fetch --unshallow) to test the upgrade`
    throw new Error(advice, { cause: error })
  }
  execFileSync('tar', ['-xf', archive, '-C', folder])
  linkPackages(folder)
  return {
    main: join(folder, 'packages/server/src/main.ts'),
    addMigration: (name, sql) => writeFileSync(join(folder, 'packages/server/migrations', name), sql),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** Links the packages of the registry from this tree. The workspace's own packages come from the commit. */
function linkPackages(folder: string): void {
  const modules = join(folder, 'node_modules')
  mkdirSync(join(modules, '@posthorn'), { recursive: true })
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (name === '@posthorn' || name.startsWith('posthorn')) continue
    symlinkSync(join(root, 'node_modules', name), join(modules, name))
  }
  for (const name of readdirSync(join(folder, 'packages'))) {
    if (name === 'server') symlinkSync(join(folder, 'packages/server'), join(modules, 'posthorn'))
    else symlinkSync(join(folder, 'packages', name), join(modules, '@posthorn', name))
  }
}
