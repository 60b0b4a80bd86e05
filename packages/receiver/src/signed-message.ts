/** What the signature covers: `t` as it was received, a dot, and the body. A copy, so nobody changes it later. */
export function signedMessage(timestampText: string, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const prefix = utf8(`${timestampText}.`)
  const message = new Uint8Array(prefix.length + body.length)
  message.set(prefix)
  message.set(body, prefix.length)
  return message
}

/** The bytes of a text. */
export function utf8(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text)
}
