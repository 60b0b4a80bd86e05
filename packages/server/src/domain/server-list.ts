import { parseIp } from './ip-address.ts'

/**
 * Parses a list of server addresses with optional ports.
 *
 * @throws Error if one is malformed
 * @example
 * serverList('192.0.2.53,[2001:db8::53]:5353')
 */
export function serverList(text: string): string[] {
  return text.split(',').map(part => {
    const server = part.trim()
    const [, bracketed, plain = '', port] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(server) ?? []
    const address = bracketed ?? (port === undefined && plain === '' ? server : plain)
    const isPort = port === undefined || (Number(port) >= 1 && Number(port) <= 65_535)
    if (parseIp(address) === null || !isPort) {
      throw new Error(`"${server}" is not an IP address with or without a port, such as 192.0.2.53:53`)
    }
    return server
  })
}
