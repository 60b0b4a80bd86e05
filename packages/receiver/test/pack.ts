import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'

const sources = join(import.meta.dirname, '..')

/**
 * Builds the package beside its sources' folder and not in it, packs it into `folder` as npm would publish it, and
 * gives the path of the tarball. Any number may do so at once.
 */
export async function packReceiver(folder: string): Promise<string> {
  const staged = join(folder, 'receiver')
  mkdirSync(staged)
  for (const name of ['package.json', 'README.md', 'LICENSE']) {
    copyFileSync(join(sources, name), join(staged, name))
  }
  await run(process.execPath, [join(sources, 'build.ts'), join(staged, 'dist')], staged)
  const printed = await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], staged)
  return join(folder, printed.trim().split('\n').at(-1) ?? '')
}

/** Runs a program with this Node first in the path, for two minutes at most, and gives what it printed. */
export async function run(
  program: string,
  args: string[],
  cwd: string,
  more: Readonly<Record<string, string>> = {},
): Promise<string> {
  const PATH = [dirname(process.execPath), process.env['PATH']].join(delimiter)
  const env = { ...process.env, ...more, PATH }
  const { stdout } = await promisify(execFile)(program, args, { cwd, env, timeout: 120_000 })
  return stdout
}
