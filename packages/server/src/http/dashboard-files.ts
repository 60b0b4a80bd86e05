import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

/** The built dashboard in memory, each file under its path in the address. */
export type DashboardFiles = ReadonlyMap<string, DashboardFile>

export interface DashboardFile {
  readonly contentType: string
  /** The name bears a hash of the content, so it never changes. */
  readonly isImmutable: boolean
  readonly bodies: { readonly [Encoding in ContentEncoding]?: EncodedBody } & {
    readonly identity: EncodedBody
  }
}

export type ContentEncoding = 'br' | 'gzip' | 'identity'

export interface EncodedBody {
  readonly bytes: Buffer
  /** Strong: of these very bytes. */
  readonly etag: string
}

/** Reads all files, once; null when the dashboard is not built. */
export function readDashboardFiles(folder: string): DashboardFiles | null {
  if (!existsSync(join(folder, 'index.html'))) return null
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
  return new Map(
    paths.map(path => {
      const address = `/${relative(folder, path).split(sep).join('/')}`
      return [address, toFile(address, readFileSync(path))]
    }),
  )
}

/** A file as it is served under its address. */
export function toFile(address: string, bytes: Buffer): DashboardFile {
  const contentType = contentTypes[extname(address)] ?? 'application/octet-stream'
  const isCompressible = /^text\/|json|svg/.test(contentType)
  const identity = encoded(bytes)
  if (!isCompressible)
    return { contentType, isImmutable: address.startsWith('/assets/'), bodies: { identity } }
  let gzip: EncodedBody | undefined
  let br: EncodedBody | undefined
  return {
    contentType,
    isImmutable: address.startsWith('/assets/'),
    // compressed when first asked for, and kept: a start does not wait for pages that nobody may open
    bodies: {
      identity,
      get gzip() {
        return (gzip ??= encoded(gzipSync(bytes)))
      },
      get br() {
        return (br ??= encoded(brotli(bytes)))
      },
    },
  }
}

/** Higher levels would hold up whoever asks first for a few per cent. */
function brotli(bytes: Buffer): Buffer {
  return brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } })
}

function encoded(bytes: Buffer): EncodedBody {
  const digest = createHash('sha256').update(bytes).digest('base64url').slice(0, 22)
  return { bytes, etag: `"${digest}"` }
}

const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
}
