import type { MailServerOptions } from './mail-server.ts'

/** Exim's configuration: relays only for this machine, retries within seconds, and logs as Debian does. */
export function eximConfiguration({ port, returnPath }: MailServerOptions): string {
  return `primary_hostname = exim.sender.example
exim_path = /usr/sbin/exim4
spool_directory = /var/spool/exim4
log_file_path = /var/log/exim4/%slog
log_selector = +smtp_protocol_error +smtp_syntax_error +tls_certificate_verified +tls_peerdn +smtp_confirmation
timezone = UTC
local_interfaces = 127.0.0.1
daemon_smtp_ports = ${port}
disable_ipv6 = true
host_lookup =
helo_lookup_domains =
keep_environment =
notifier_socket =
rfc1413_query_timeout = 0s
tls_advertise_hosts =
acl_smtp_rcpt = from_this_machine
acl_smtp_data = log_header

begin acl
from_this_machine:
  accept hosts = 127.0.0.1
log_header:
  warn condition = \${if def:h_X-Email-ID:}
       logwrite = X-Email-ID: $h_X-Email-ID:
  accept

begin routers
return_path:
  driver = manualroute
  domains = ${returnPath.domain}
  transport = remote_smtp
  route_list = * 127.0.0.1::${returnPath.port} byname
  self = send
by_dns:
  driver = dnslookup
  transport = remote_smtp
  # the recipients' mail server is on this machine
  self = send
  cannot_route_message = Domain $domain not found
  no_more

begin transports
remote_smtp:
  driver = smtp
  port = 25

begin retry
* * F,1h,1s
`
}
