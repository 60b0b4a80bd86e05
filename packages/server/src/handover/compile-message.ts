import { createTransport, type SendMailOptions } from 'nodemailer'
import type { Message } from './submit.ts'

const compiler = createTransport({
  streamTransport: true,
  buffer: true,
  newline: 'windows',
  disableFileAccess: true,
  disableUrlAccess: true,
})

/**
 * Returns the bytes of a message, with its DKIM signature.
 * @param isUtf8 whether the header may contain addresses that are not ASCII; otherwise it leaves such recipients out
 */
export async function compileMessage(message: Message, isUtf8: boolean): Promise<Buffer> {
  const { to, cc } = message
  const named = isUtf8 ? {} : { to: onlyAscii(to), cc: onlyAscii(cc) }
  const compiled = await compiler.sendMail({ ...message, ...named })
  return compiled.message as Buffer
}

type Addresses = SendMailOptions['to']

function onlyAscii(addresses: Addresses): Addresses {
  if (!Array.isArray(addresses)) return addresses
  return addresses.filter(
    one => !/[^\0-\x7f]/.test(typeof one === 'object' && 'address' in one ? String(one.address) : ''),
  )
}
