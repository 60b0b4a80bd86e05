import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Certificate, makeCertificate } from '../egress/certificate.ts'
import { startTlsReceiver } from '../support/tls-receiver.ts'
import type { FaultyEndpoint } from './faulty-endpoints.ts'

/** HTTPS endpoints at `localhost`: `good` is correct, and each of the others has one fault. */
export interface TlsFaults extends AsyncDisposable {
  endpoints: Record<
    'good' | 'expired' | 'notYetValid' | 'selfSigned' | 'otherName' | 'unknownAuthority' | 'oldTls',
    FaultyEndpoint
  >
  /** Settings that make the service trust their authority. */
  settings: Record<string, string>
}

export async function startTlsFaults(): Promise<TlsFaults> {
  await using opened = new AsyncDisposableStack()
  const authority = makeCertificate({ name: 'Posthorn test authority', isAuthority: true })
  const stranger = makeCertificate({ name: 'Some other authority', isAuthority: true })
  const hosts = ['localhost']
  const issued = { hosts, issuer: authority }
  const good = makeCertificate({ name: 'good', ...issued })
  const folder = mkdtempSync(join(tmpdir(), 'posthorn-authority-'))
  opened.defer(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'authority.pem')
  writeFileSync(file, authority.cert)

  const listen = async (certificate: Certificate, options = {}): Promise<FaultyEndpoint> => {
    const receiver = opened.use(
      await startTlsReceiver(certificate, (_request, response) => response.writeHead(204).end(), options),
    )
    return { url: receiver.url('/'), requests: () => receiver.requests.length }
  }
  const endpoints = {
    good: await listen(good),
    expired: await listen(makeCertificate({ name: 'expired', ...issued, validDays: [-60, -30] })),
    notYetValid: await listen(makeCertificate({ name: 'early', ...issued, validDays: [5, 30] })),
    selfSigned: await listen(makeCertificate({ name: 'self', hosts })),
    otherName: await listen(
      makeCertificate({ name: 'other', hosts: ['other.example.com'], issuer: authority }),
    ),
    unknownAuthority: await listen(makeCertificate({ name: 'stranger', hosts, issuer: stranger })),
    oldTls: await listen(good, {
      minVersion: 'TLSv1',
      maxVersion: 'TLSv1',
      ciphers: 'DEFAULT@SECLEVEL=0',
    }),
  }
  const running = opened.move()
  return {
    endpoints,
    settings: { NODE_EXTRA_CA_CERTS: file },
    [Symbol.asyncDispose]: async () => await running.disposeAsync(),
  }
}
