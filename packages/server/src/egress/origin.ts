import { ConnectionLine } from './connection-line.ts'
import { ConnectionReuse } from './connection-reuse.ts'
import type { Connection } from './connection.ts'

/** Scheme, host and port, with the connections to it that wait for their next request. */
export interface Origin {
  readonly href: string
  /** What `Host` says: the port only where it is not the scheme's own. */
  readonly authority: string
  readonly secure: boolean
  /** A name, or an address without brackets. */
  readonly host: string
  readonly port: number
  /** The last one in is the first one out: what is not needed grows old and goes. */
  readonly idle: Connection[]
  /** Attempts that wait for one of them. */
  readonly line: ConnectionLine
  readonly reuse: ConnectionReuse
}

export function createOrigin(url: URL, monotonicMs: () => number): Origin {
  const secure = url.protocol === 'https:'
  return {
    href: url.origin,
    authority: url.host,
    secure,
    host: url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname,
    port: url.port === '' ? (secure ? 443 : 80) : Number(url.port),
    idle: [],
    line: new ConnectionLine(monotonicMs),
    reuse: new ConnectionReuse(monotonicMs),
  }
}
