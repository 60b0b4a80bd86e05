export interface CurlRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The request as a command for a POSIX shell. */
export function curlCommand({ url, headers, body }: CurlRequest): string {
  return [
    `curl --include --request POST ${quoted(url)}`,
    ...Object.entries(headers).map(([name, value]) => `--header ${quoted(`${name}: ${value}`)}`),
    `--data-binary ${quoted(body)}`,
  ].join(' \\\n  ')
}

/** When the request was signed, from its signature. */
export function signedAtMs(headers: Readonly<Record<string, string>>): number | null {
  const seconds = /(?:^|,)t=(\d{1,12})(?:,|$)/.exec(signatureIn(headers) ?? '')?.[1]
  return seconds === undefined ? null : Number(seconds) * 1_000
}

/** The value of the signature header: the first one that Posthorn's own headers begin with, whatever their prefix. */
export function signatureIn(headers: Readonly<Record<string, string>>): string | undefined {
  return Object.entries(headers).find(([name]) => /^x-.+-signature$/i.test(name))?.[1]
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
