import { once } from 'node:events'
import { createServer } from 'node:net'
import { ConfigError } from './config.ts'
import type { SourceAddresses } from './domain/source-addresses.ts'

/**
 * Refuses a source address that this host does not have.
 * @throws ConfigError
 */
export async function refuseForeignSource(source: SourceAddresses): Promise<void> {
  for (const host of [source[4], source[6]]) {
    if (host === null) continue
    // the list of interfaces does not have every address that one can bind to, such as 127.0.0.2
    const server = createServer().listen({ host, port: 0 })
    try {
      await once(server, 'listening')
    } catch (cause) {
      throw new ConfigError(`POSTHORN_EGRESS_SOURCE_ADDRESS: this host does not have the address ${host}`, {
        cause,
      })
    } finally {
      server.close()
    }
  }
}
