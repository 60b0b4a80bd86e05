import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { canRun } from '../../../server/test/support/can-run.ts'
import { go } from './go.ts'
import { java } from './java.ts'
import { python } from './python.ts'
import { ruby } from './ruby.ts'

/** A program and its arguments. */
export type Command = readonly [program: string, ...args: string[]]

/** A language with a receiver library in `receivers/`. Every shared test runs for every row of the table. */
export interface Language {
  readonly name: string
  /** The folder of the library. Its commands run there. */
  readonly folder: string
  /** The Debian packages that its tests need. */
  readonly install: string
  /** Exits with 0 if the tests can run. */
  readonly probe: Command
  /** The library's own tests, which include every signature vector. */
  readonly ownTests: Command
  /** Packs the library, installs it into an empty project without a registry, and verifies a request there. */
  readonly cleanInstall: Command
  /** Reads cases as JSON lines and prints a verdict for each. */
  readonly judge: Command
  /** Serves `/hooks` on a port of loopback, with the settings in the file RECEIVER_SETTINGS. */
  readonly adapters: readonly { readonly name: string; serve(port: number): Command }[]
}

const folderOf = (name: string) => fileURLToPath(new URL(`../../../../receivers/${name}/`, import.meta.url))

const phpServer = (port: number): Command => ['php', '-S', `127.0.0.1:${port}`, 'tests/live/receiver.php']

const languages: readonly Language[] = [
  {
    name: 'PHP',
    folder: folderOf('php'),
    install:
      'php-cli php-mbstring php-xml php-sqlite3 php-pgsql php-redis phpunit composer php-nyholm-psr7 ' +
      'php-symfony-http-foundation php-illuminate-events php-illuminate-http php-illuminate-routing',
    probe: ['php', 'tests/can-run.php'],
    ownTests: ['phpunit'],
    cleanInstall: ['tests/clean-install.sh'],
    judge: ['php', 'tests/judge.php'],
    adapters: ['plain PHP', 'Laravel', 'PSR-15'].map(name => ({ name, serve: phpServer })),
  },
  go(folderOf('go')),
  java(folderOf('java')),
  ruby(folderOf('ruby')),
  python(folderOf('python')),
]

/** The languages that are installed here. The run names the others; with `CI` set, they are here or the test fails. */
export function languagesHere(what: string): readonly Language[] {
  return languages.filter(({ name, folder, install, probe: [program, ...args] }) =>
    canRun(`${what} in ${name}`, spawnSync(program, args, { cwd: folder }).status === 0, install),
  )
}
