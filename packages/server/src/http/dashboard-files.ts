import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

/** The built dashboard in memory: each file by its URL path. */
export type DashboardFiles = ReadonlyMap<string, DashboardFile>

export interface DashboardFile {
  readonly contentType: string
  /** The name contains a hash of the content, so the file never changes. */
  readonly isImmutable: boolean
  readonly bodies: { readonly [Encoding in ContentEncoding]?: EncodedBody } & {
    readonly identity: EncodedBody
  }
}

export type ContentEncoding = 'br' | 'gzip' | 'identity'

export interface EncodedBody {
  readonly bytes: Buffer
  /** A strong ETag of exactly these bytes. */
  readonly etag: string
}

/** Reads all files once, or returns null if the dashboard is not built. */
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

/** A file as the server sends it. */
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
    // compressed on first use and cached, so that the start stays fast
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

/** Higher levels would delay the first request to save a few percent. */
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
