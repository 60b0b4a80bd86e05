import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'

/** A mail server on loopback that replies as the test says, also against the protocol. */
export interface ScriptedMailServer extends AsyncDisposable {
  /** For `POSTHORN_SMTP_URL`. */
  url: string
  /** The commands and messages of all connections, in order. */
  said: string[]
  connections(): number
}

/**
 * @param extensions the extensions in the reply to EHLO; null if the server does not support EHLO
 * @param answer the reply to a command or, for `.`, to a whole message; undefined accepts it, null does not reply
 */
export async function startScriptedMailServer(
  extensions: readonly string[] | null,
  answer: (command: string) => string | null | undefined = () => undefined,
): Promise<ScriptedMailServer> {
  const said: string[] = []
  const sockets = new Set<Socket>()
  let connections = 0
  const usual = (command: string): string => {
    if (command.startsWith('EHLO')) {
      if (extensions === null) return '502 5.5.2 What?'
      const lines = ['mx.test', ...extensions]
      return lines.map((line, at) => `250${at === lines.length - 1 ? ' ' : '-'}${line}`).join('\r\n')
    }
    if (command === 'DATA') return '354 Go on'
    if (command.startsWith('AUTH')) return '235 2.7.0 Welcome'
    return '250 2.0.0 Fine'
  }
  const server = createServer(socket => {
    connections += 1
    sockets.add(socket)
    let isMessage = false
    let pending = ''
    const say = (reply: string | null): void => {
      if (reply !== null) socket.write(`${reply}\r\n`)
    }
    const read = (): boolean => {
      const end = isMessage ? '\r\n.\r\n' : '\r\n'
      const at = pending.indexOf(end)
      if (at < 0) return false
      const text = pending.slice(0, at)
      pending = pending.slice(at + end.length)
      said.push(text)
      const command = isMessage ? '.' : text
      isMessage = false
      const given = answer(command)
      const reply = given === undefined ? usual(command) : given
      isMessage = command === 'DATA' && reply !== null && reply.startsWith('354')
      say(reply)
      return true
    }
    socket.setEncoding('utf8')
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    socket.on('data', (text: string) => {
      pending += text
      while (read());
    })
    say('220 mx.test ESMTP')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    said,
    connections: () => connections,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
