import { Socket } from 'node:net'

/** Loaded into a service with `--import`. It connects to a port of the test instead of 443, where only root can listen. */
const port = Number(process.env['HTTPS_PORT'])

const connect = Reflect.get(Socket.prototype, 'connect') as (this: Socket, ...args: unknown[]) => Socket
Socket.prototype.connect = function (this: Socket, ...args: unknown[]) {
  // net.connect() passes its arguments on as a list
  const options = [args[0]].flat()[0] as { port?: number }
  if (options.port === 443) options.port = port
  return connect.apply(this, args)
} as Socket['connect']
