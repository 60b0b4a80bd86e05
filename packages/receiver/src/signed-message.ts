/** The signed bytes: `t` as received with a dot, and the body. It is a copy, so that later changes have no effect. */
export function signedMessage(before: string, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const prefix = utf8(before)
  const message = new Uint8Array(prefix.length + body.length)
  message.set(prefix)
  message.set(body, prefix.length)
  return message
}

/** Encodes text as UTF-8. */
export function utf8(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text)
}
