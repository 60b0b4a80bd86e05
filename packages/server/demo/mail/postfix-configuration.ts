import { join } from 'node:path'
import type { MailServerOptions } from './mail-server.ts'

/** The folder and the ports of our Postfix. */
export interface PostfixPlace extends MailServerOptions {
  readonly folder: string
}

/** `main.cf`: relays only for this machine, retries within seconds, and logs to its own file. */
export function mainConfiguration({ folder, returnPath }: PostfixPlace): string {
  const settings = {
    compatibility_level: '3.6',
    queue_directory: join(folder, 'queue'),
    data_directory: join(folder, 'data'),
    maillog_file: join(folder, 'maillog'),
    maillog_file_prefixes: folder,
    myhostname: 'mta.sender.example',
    mydestination: '',
    inet_interfaces: '127.0.0.1',
    inet_protocols: 'ipv4',
    mynetworks: '127.0.0.0/8',
    alias_maps: '',
    alias_database: '',
    notify_classes: '',
    queue_run_delay: '1s',
    minimal_backoff_time: '1s',
    maximal_backoff_time: '1s',
    transport_maps: `inline:{ { ${returnPath.domain} = smtp:[127.0.0.1]:${returnPath.port} } }`,
  }
  return Object.entries(settings)
    .map(([name, value]) => `${name} = ${value}\n`)
    .join('')
}

/**
 * `master.cf`: the daemons that a relay needs. The smtp daemon runs in a chroot in the queue folder, so that it uses our
 * `etc/resolv.conf` instead of the machine's.
 */
export function masterConfiguration({ port }: PostfixPlace): string {
  return [
    `127.0.0.1:${port} inet n - n - - smtpd`,
    'pickup unix n - n 60 1 pickup',
    'cleanup unix n - n - 0 cleanup',
    'qmgr unix n - n 1 1 qmgr',
    'tlsmgr unix - - n 1000? 1 tlsmgr',
    'rewrite unix - - n - - trivial-rewrite',
    'bounce unix - - n - 0 bounce',
    'defer unix - - n - 0 bounce',
    'trace unix - - n - 0 bounce',
    'verify unix - - n - 1 verify',
    'flush unix n - n 1000? 0 flush',
    'proxymap unix - - n - - proxymap',
    'smtp unix - - y - - smtp',
    'error unix - - n - - error',
    'retry unix - - n - - error',
    'showq unix n - n - - showq',
    'anvil unix - - n - 1 anvil',
    'scache unix - - n - 1 scache',
    'postlog unix-dgram n - n - 1 postlogd',
    '',
  ].join('\n')
}
