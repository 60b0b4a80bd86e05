/** The path of the one-click link in a mail's `List-Unsubscribe` (RFC 8058), whatever the lines it was folded into. */
export function unsubscribePath(message: string): string {
  const head = message.slice(0, message.indexOf('\r\n\r\n')).replaceAll(/\r\n[ \t]+/g, ' ')
  const value = /^List-Unsubscribe: (.*)$/im.exec(head)?.[1]
  const url = /<(https:[^>]+)>/.exec(value ?? '')?.[1]
  if (url === undefined) throw new Error(`the mail has no one-click link:\n${head}`)
  if (!/^List-Unsubscribe-Post: List-Unsubscribe=One-Click$/im.test(head)) {
    throw new Error('the mail does not say that its link takes one click')
  }
  return new URL(url).pathname
}

/** What a mail program does when its user clicks on "Unsubscribe". Resolves with the status of the answer. */
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
