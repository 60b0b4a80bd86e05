import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { separator, thirdPartyLicenses } from './third-party-licenses.ts'

const sources = fileURLToPath(new URL('../packages/dashboard/reference/', import.meta.url))
const require = createRequire(join(sources, 'docs.html'))

/** Writes the API reference into the folder of the built dashboard. */
export function buildReference(folder: string): void {
  mkdirSync(join(folder, 'assets'), { recursive: true })
  const logo = writeHashed(folder, 'redoc.svg', readFileSync(join(sources, 'redoc.svg'), 'utf8'))
  const code = readFileSync(require.resolve('redoc/bundles/redoc.standalone.js'), 'utf8')
  const redoc = writeHashed(folder, 'redoc.js', adapt(code, logo))
  const start = readFileSync(join(sources, 'reference.js'), 'utf8').replace('./redoc.js', redoc)
  const script = writeHashed(folder, 'reference.js', start)
  const rules = readFileSync(join(sources, 'reference.css'), 'utf8') + colourRules(code)
  const style = writeHashed(folder, 'reference.css', rules)
  const page = readFileSync(join(sources, 'docs.html'), 'utf8')
    .replace('/assets/redoc.js', redoc)
    .replace('/assets/reference.js', script)
    .replace('/assets/reference.css', style)
  writeFileSync(join(folder, 'docs.html'), page)
}

/**
 * The license of Redoc and of the packages that are inside its script. Those are not in `node_modules`, so a list is
 * kept for one version.
 * @throws Error if the list belongs to another version
 */
export function referenceLicenses(): string {
  const folder = dirname(require.resolve('redoc/package.json'))
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }
  const [head = '', ...inside] = readFileSync(join(sources, 'redoc-licenses.txt'), 'utf8').split(separator)
  if (head.trim() !== `Inside redoc ${version}`)
    throw new Error(`redoc-licenses.txt is not for Redoc ${version}: list what that version contains`)
  return [thirdPartyLicenses([folder]), ...inside].join(separator)
}

/**
 * Redoc loads its logo from its own host, an icon font from a data: URL, and colours code by style attributes. The page
 * makes no request to other hosts, and its Content-Security-Policy refuses the other two.
 * @throws Error if a new version of Redoc no longer has what is replaced here
 */
function adapt(code: string, logo: string): string {
  return [
    { what: /https:\/\/cdn\.redoc\.ly\/redoc\/logo-mini(?:-full)?\.svg/g, by: logo },
    { what: /url\('data:application\/font-woff;base64,[\w+/=]+'\)[^;]*/g, by: 'local("none")' },
    { what: /style="color: var\((\$\{\w+\})\)"/g, by: 'data-colour="$1"' },
  ].reduce((text, { what, by }) => {
    if (text.search(what) < 0) throw new Error(`Redoc no longer contains ${what}: look what took its place`)
    return text.replaceAll(what, by)
  }, code)
}

/** One CSS rule for each token color, instead of style attributes. */
function colourRules(code: string): string {
  const names = new Set(code.match(/--code-block-tokens-[a-z-]+-color/g))
  return [...names].map(name => `[data-colour="${name}"] {\n  color: var(${name});\n}\n`).join('')
}

/** The name contains a hash of the content, so that browsers can cache the file forever. */
function writeHashed(folder: string, name: string, content: string): string {
  const hash = createHash('sha256').update(content).digest('base64url').slice(0, 8)
  const [stem, extension] = name.split('.')
  const address = `/assets/${stem}-${hash}.${extension}`
  writeFileSync(join(folder, address), content)
  return address
}
