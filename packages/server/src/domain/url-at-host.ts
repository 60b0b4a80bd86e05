/**
 * The public URL at another host, without a trailing slash.
 *
 * @example
 * urlAtHost('https://posthorn.example:8443', 'links.acme.example') // 'https://links.acme.example:8443'
 */
export function urlAtHost(publicUrl: string, host: string): string {
  const url = new URL(publicUrl)
  url.hostname = host
  return url.href.replace(/\/+$/, '')
}
