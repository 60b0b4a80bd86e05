import { headerLine } from './header-line.ts'
import type { Origin } from './origin.ts'

/** The request line, and the headers that say where it goes and that the connection stays open. */
export function requestBeginning(method: 'POST' | 'HEAD', origin: Origin, path: string): string {
  return `${method} ${path} HTTP/1.1\r\nhost: ${origin.authority}\r\nconnection: keep-alive`
}

/** @param headers flat: name, value, name, value. @throws UnsendableRequest */
export function headerLines(headers: readonly string[]): string {
  let lines = ''
  for (let n = 0; n < headers.length; n += 2) lines += headerLine(headers[n] ?? '', headers[n + 1])
  return lines
}

/**
 * How a POST there begins, up to the last of these headers: checked and put together once for the array that they are in.
 * @param headers flat: name, value, name, value; never changed
 * @throws UnsendableRequest
 */
export function commonBeginning(origin: Origin, path: string, headers: readonly string[]): string {
  const known = beginnings.get(headers)
  if (known?.origin === origin && known.path === path) return known.text
  const text = requestBeginning('POST', origin, path) + headerLines(headers)
  beginnings.set(headers, { origin, path, text })
  return text
}

const beginnings = new WeakMap<readonly string[], { origin: Origin; path: string; text: string }>()
