import { Socket } from 'node:net'

/** Loaded into a service with `--import`. The service dies when it starts to send the delivery with this sequence number. */
const poison = `X-Service-Sequence: ${process.env['POISON_SEQUENCE']}\r\n`

const write = Reflect.get(Socket.prototype, 'write') as Socket['write']
Socket.prototype.write = function (this: Socket, ...args: Parameters<Socket['write']>) {
  const [bytes] = args
  if (Buffer.from(bytes).toString('latin1').includes(poison)) process.kill(process.pid, 'SIGKILL')
  return write.apply(this, args)
} as Socket['write']
