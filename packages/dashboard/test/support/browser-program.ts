import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { testProgram } from '../../../../tools/test-programs/test-programs.ts'

/** A Chromium that runs on this machine, and its environment variables. */
export interface BrowserProgram {
  readonly executablePath: string
  readonly env: Record<string, string>
}

const installedNames = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/** The installed Chromium, or the one inside an npm package; null if npm has none for this platform. */
export function findBrowserProgram(): BrowserProgram | null {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const installed = installedNames
    .flatMap(name => folders.map(folder => join(folder, name)))
    .find(path => existsSync(path))
  if (installed !== undefined) return { executablePath: installed, env: {} }
  return process.platform === 'linux' && process.arch === 'x64' ? packagedBrowser() : null
}

/** Unpacked once for each user and version, with libraries and fonts that the machine may lack. */
function packagedBrowser(): BrowserProgram {
  const description = readFileSync(testProgram('@sparticuz/chromium/package.json'), 'utf8')
  const { version } = JSON.parse(description) as { version: string }
  const folder = join(tmpdir(), `posthorn-test-chromium-${process.getuid?.() ?? 0}-${version}`)
  if (!existsSync(folder)) unpack(folder)
  const fonts = join(folder, 'fonts.conf')
  return {
    executablePath: join(folder, 'chromium'),
    env: { LD_LIBRARY_PATH: join(folder, 'al2023/lib'), FONTCONFIG_FILE: fonts },
  }
}

/** If several workers unpack at the same time, one result is kept. */
function unpack(folder: string): void {
  const draft = mkdtempSync(`${folder}-draft-`)
  // the package unpacks into the temporary folder, and unpacks the libraries only if it detects Lambda
  const env = { ...process.env, TMPDIR: draft, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' }
  const script = `import chromium from '@sparticuz/chromium'; await chromium.executablePath()`
  execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: testProgram('..'),
    env,
    stdio: 'pipe',
  })
  mkdirSync(join(draft, 'cache'))
  const fonts = `<fontconfig><dir>${folder}/fonts</dir><cachedir>${folder}/cache</cachedir></fontconfig>`
  writeFileSync(join(draft, 'fonts.conf'), fonts)
  try {
    renameSync(draft, folder)
  } catch (error) {
    if (!existsSync(folder)) throw error
    rmSync(draft, { recursive: true })
  }
}
