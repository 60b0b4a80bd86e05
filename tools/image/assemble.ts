import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { billOfMaterials, type LockedPackage } from './bill-of-materials.ts'

// Puts what the image adds to its base into a folder, by owner. Runs after `npm ci` has left only what the service needs.
const [image = ''] = process.argv.slice(2)
const root = join(image, 'of-root')
const home = join(root, 'opt/posthorn')
const read = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'))

mkdirSync(home, { recursive: true })
mkdirSync(join(image, 'of-user/data'), { recursive: true, mode: 0o700 })
for (const name of ['dist', 'migrations', 'package.json', 'LICENSE']) {
  cpSync(join('packages/server', name), join(home, name), { recursive: true })
}
// npm's links to the workspace's packages, which are compiled into dist
for (const name of ['posthorn', '@posthorn', '.bin'])
  rmSync(join('node_modules', name), { recursive: true, force: true })
cpSync('node_modules', join(home, 'node_modules'), {
  recursive: true,
  filter: path => !/\.(map|d\.[cm]?ts|tsbuildinfo)$|\/pglite\/dist\/.*\.cjs$/.test(path),
})

const { packages } = read('node_modules/.package-lock.json') as { packages: Record<string, LockedPackage> }
const { version } = read('packages/server/package.json') as { version: string }
const bill = billOfMaterials(version, process.versions.node, packages)
writeFileSync(join(home, 'sbom.cdx.json'), `${JSON.stringify(bill, null, 2)}\n`)

// starts without a shell and without /usr/bin/env
const command = join(root, 'usr/local/bin/posthorn')
mkdirSync(join(root, 'usr/local/bin'), { recursive: true })
writeFileSync(command, "#!/usr/local/bin/node\nimport '/opt/posthorn/dist/main.js'\n")
chmodSync(command, 0o755)
