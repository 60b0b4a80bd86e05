import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Certificate } from '../../packages/server/test/egress/certificate.ts'

/** A file for `NODE_EXTRA_CA_CERTS` with this certificate. Empty if there is none. */
export function authorityFile(certificate: Certificate | null): Disposable & { path: string } {
  const folder = mkdtempSync(join(tmpdir(), 'posthorn-bench-'))
  const path = join(folder, 'authority.pem')
  writeFileSync(path, certificate?.cert ?? '')
  return { path, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) }
}
