/**
 * Splits a PostgreSQL URL with several hosts (`postgres://u:p@h1:5432,h2:5432/db` or `?host=h1,h2`, as in libpq) into one
 * URL for each host, because the driver accepts only one. A URL with one host stays as it is.
 * @throws Error if the list is malformed; the message contains no user and no password
 */
export function splitHosts(url: string): string[] {
  const parts = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)([^?#]*)(?:\?([^#]*))?/.exec(url)
  const [, before = '', authority = '', path = '', query = ''] = parts ?? []
  const parameters = new URLSearchParams(query)
  const inQuery = parameters.get('host')?.split(',') ?? []
  if (!authority.includes(',') && inQuery.length < 2) return [url]
  const hosts = inQuery.length < 2 ? authority.split(',') : withPorts(inQuery, parameters.get('port'))
  for (const host of hosts) refuseMalformed(host)
  refuseReadersOnly(parameters.get('target_session_attrs'))
  for (const used of ['target_session_attrs', 'load_balance_hosts', 'host', 'port']) parameters.delete(used)
  const rest = parameters.size === 0 ? '' : `?${parameters.toString()}`
  const urls = hosts.map(host => `${before}${host}${path}${rest}`)
  if (!urls.every(one => URL.canParse(one))) throw new Error('user and password must be percent-encoded')
  return urls
}

/** The URL for libpq, which would otherwise use the first of several hosts even if it is a standby. */
export function primaryUrl(url: string): string {
  if (splitHosts(url).length === 1) return url
  const [address = '', query = ''] = url.split(/\?(.*)/s)
  const kept = query.split('&').filter(one => one !== '' && !one.startsWith('target_session_attrs='))
  return `${address}?${[...kept, 'target_session_attrs=read-write'].join('&')}`
}

/** Host and port of such a URL, for messages and logs. */
export function hostOf(url: string): string {
  const { hostname, port } = new URL(url)
  return `${decodeURIComponent(hostname)}:${port || '5432'}`
}

/** libpq accepts one port for all hosts or one for each; an empty port is the default. */
function withPorts(hosts: string[], list: string | null): string[] {
  const ports = list?.split(',') ?? ['']
  if (ports.length !== 1 && ports.length !== hosts.length) {
    throw new Error(`${hosts.length} hosts cannot have ${ports.length} ports; name one, or one for each`)
  }
  return hosts.map((host, index) => {
    const port = ports.length === 1 ? ports[0] : ports[index]
    const name = host.includes(':') ? `[${host}]` : encodeURIComponent(host)
    return port ? `${name}:${port}` : name
  })
}

function refuseMalformed(host: string): void {
  if (host === '') throw new Error('a host is missing before or after a comma')
  if (!/^(\[[\da-f:.]+\]|[^\s:[\]]+)(:\d{1,5})?$/i.test(host)) {
    throw new Error('each of several hosts must be host, host:port or [IPv6 address]:port')
  }
}

function refuseReadersOnly(attributes: string | null): void {
  if (attributes === null || /^(any|read-write|primary)$/.test(attributes)) return
  throw new Error('target_session_attrs must be read-write or primary, because Posthorn writes')
}
