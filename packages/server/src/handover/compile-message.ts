import { createTransport, type SendMailOptions } from 'nodemailer'
import { dkimSignature } from './dkim-signature.ts'
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
export async function compileMessage({ dkim, ...message }: Message, isUtf8: boolean): Promise<Buffer> {
  const { to, cc } = message
  const named = isUtf8 ? {} : { to: onlyAscii(to), cc: onlyAscii(cc) }
  const compiled = await compiler.sendMail({ ...message, ...named })
  const bytes = valuesOnFirstLine(compiled.message as Buffer)
  return dkim === null ? bytes : Buffer.concat([Buffer.from(dkimSignature(bytes, dkim)), bytes])
}

const lineLengthMax = 998

/** Some programs read only the first line of a header field, but nodemailer leaves it empty before a long word. */
function valuesOnFirstLine(message: Buffer): Buffer {
  const split = message.indexOf('\r\n\r\n')
  const header = message
    .toString('latin1', 0, split)
    .replaceAll(/^([!-9;-~]+:)[ \t]*\r\n[ \t]+([^\r\n]*)/gm, (folded, name: string, line: string) =>
      name.length + 1 + line.length > lineLengthMax ? folded : `${name} ${line}`,
    )
  return Buffer.concat([Buffer.from(header, 'latin1'), message.subarray(split)])
}

type Addresses = SendMailOptions['to']

function onlyAscii(addresses: Addresses): Addresses {
  if (!Array.isArray(addresses)) return addresses
  return addresses.filter(
    one => !/[^\0-\x7f]/.test(typeof one === 'object' && 'address' in one ? String(one.address) : ''),
  )
}
