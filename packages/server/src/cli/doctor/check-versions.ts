import { packageVersion } from '../../version.ts'
import type { Check } from '../check.ts'

/** The versions that a bug report needs. */
export function checkVersions(): Check {
  const { platform, arch, versions } = process
  return {
    name: 'Versions',
    state: 'ok',
    found: `Posthorn ${packageVersion()}, Node ${versions.node}, ${platform} ${arch}`,
  }
}
