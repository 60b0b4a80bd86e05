import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The notices of packages that are part of a bundle, each with the text of its license. */
export function thirdPartyLicenses(packageFolders: Iterable<string>): string {
  const notices = [...packageFolders].map(folder => notice(folder))
  return [...new Set(notices)].sort().join(separator)
}

/** Stands between two notices. */
export const separator = `\n${'='.repeat(80)}\n\n`

/** The folders in `node_modules` that these modules and files of a bundle come from. */
export function packageFolders(paths: Iterable<string>): Set<string> {
  const inPackage = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/
  return new Set([...paths].flatMap(path => inPackage.exec(path)?.[0] ?? []))
}

function notice(folder: string): string {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
  const { name, version, license } = manifest
  if (license === undefined) throw new Error(`${folder} names no license: do not bundle it`)
  const texts = readdirSync(folder)
    .filter(file => /^(licen[cs]e|copying|notice)/i.test(file))
    .map(file =>
      readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n').split(ofTheirOwnBundle)[0]?.trim(),
    )
  const text = texts.length > 0 ? texts.join('\n\n') : withoutText(manifest)
  return `${name} ${version}\nLicense: ${license}\n\n${text}\n`
}

/** Vite lists what its own program contains, and no page does. */
const ofTheirOwnBundle = /^# Licenses of bundled dependencies/m

interface Manifest {
  readonly name: string
  readonly version: string
  readonly license?: string
  readonly author?: string | { readonly name: string }
}

function withoutText({ license, author }: Manifest): string {
  const by = typeof author === 'string' ? author : author?.name
  return `Copyright (c) ${by ?? 'its authors'}. The package has no license file; it names ${license} as its license.`
}
