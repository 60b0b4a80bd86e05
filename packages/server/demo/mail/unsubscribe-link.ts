/** The path of the one-click link in the `List-Unsubscribe` header (RFC 8058), which may be folded. */
export function unsubscribePath(message: string): string {
  const head = message.slice(0, message.indexOf('\r\n\r\n')).replaceAll(/\r\n[ \t]+/g, ' ')
  const value = /^List-Unsubscribe: (.*)$/im.exec(head)?.[1]
  const url = /<(https:[^>]+)>/.exec(value ?? '')?.[1]
  if (url === undefined) throw new Error(`the email has no one-click link:\n${head}`)
  if (!/^List-Unsubscribe-Post: List-Unsubscribe=One-Click$/im.test(head)) {
    throw new Error('the email has no List-Unsubscribe-Post header')
  }
  return new URL(url).pathname
}

/** Sends the request of an email client when its user clicks "Unsubscribe". Resolves with the status of the answer. */
export async function clickUnsubscribe(url: string): Promise<number> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'List-Unsubscribe=One-Click',
    redirect: 'manual',
  })
  await response.arrayBuffer()
  return response.status
}
