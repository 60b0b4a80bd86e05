/** What npm's lock file says about a package. */
export interface LockedPackage {
  readonly version?: string
  readonly license?: string
  /** `sha512-` and base64. */
  readonly integrity?: string
  readonly link?: boolean
}

/**
 * The software in the image, apart from the base's own packages, as CycloneDX 1.6. The same packages give the same bytes:
 * it has no time and no random serial number.
 *
 * @param packages by folder, for example `node_modules/pg`, as in `node_modules/.package-lock.json`
 */
export function billOfMaterials(
  version: string,
  nodeVersion: string,
  packages: Readonly<Record<string, LockedPackage>>,
) {
  const libraries = Object.entries(packages)
    .filter(([folder, { link }]) => folder.includes('node_modules/') && link !== true)
    .map(([folder, locked]) => componentOf(folder.slice(folder.lastIndexOf('node_modules/') + 13), locked))
  const unique = new Map(libraries.map(library => [library['bom-ref'], library]))
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: { type: 'application', 'bom-ref': `pkg:npm/posthorn@${version}`, name: 'posthorn', version },
    },
    components: [
      { type: 'platform', 'bom-ref': `pkg:generic/node@${nodeVersion}`, name: 'node', version: nodeVersion },
      ...unique.values(),
    ],
  }
}

function componentOf(name: string, { version = '', license, integrity = '' }: LockedPackage) {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
  const [algorithm, hash] = integrity.split('-')
  return {
    type: 'library',
    'bom-ref': purl,
    name,
    version,
    purl,
    ...(license !== undefined && { licenses: [{ expression: license }] }),
    ...(algorithm === 'sha512' && {
      hashes: [{ alg: 'SHA-512', content: Buffer.from(hash ?? '', 'base64').toString('hex') }],
    }),
  }
}
