/** Every setting that the service knows, in the order in which `docs/configuration.md` lists them. */
export const settings = {
  POSTHORN_HOST: setting('127.0.0.1', 'Address on which API and `/metrics` listen.'),
  POSTHORN_PORT: setting('4100', 'Port on which they listen; 0 picks a free one and prints it.'),
  POSTHORN_PUBLIC_URL: setting(
    'from host and port',
    'The address that customers see. Signing in to the dashboard needs it to be https, but for `http://127.0.0.1` on the machine itself.',
  ),
  POSTHORN_DATA_DIR: setting(
    './.posthorn',
    'Embedded database and generated keys; made with mode 0700. One process at a time.',
  ),
  DATABASE_URL: setting(
    'unset',
    'Unset: the embedded database in the data directory. Set: a PostgreSQL 15+ server that any number of Posthorn processes may share. Several hosts are allowed (`postgres://user@a:5432,b:5432/db`): the one that takes writes is used, after a failover the one that does then.',
    { secret: true },
  ),
  POSTHORN_ADMIN_TOKEN: setting(
    'generated',
    'The operator’s credential, at least 32 characters. Unset: made at the first start and kept in `<data dir>/admin-token` (0600). With `DATABASE_URL` it must be set (role `dispatcher` needs none).',
    { secret: true },
  ),
  POSTHORN_MASTER_KEYS: setting(
    'generated',
    '`id:base64(32 bytes)[,id:…]`: the first encrypts secrets at rest, all decrypt. Unset: made at the first start and kept in `<data dir>/master-keys` (0600). With `DATABASE_URL` it must be set.',
    { secret: true },
  ),
  POSTHORN_EGRESS_ALLOW: setting(
    'empty',
    'CIDRs that may be delivered to although they are special-purpose, such as `127.0.0.0/8,::1/128` on a laptop. Link-local addresses and cloud metadata stay refused.',
  ),
  POSTHORN_EGRESS_HTTP: setting('false', '`true` allows `http:` endpoint URLs and any port.'),
  POSTHORN_EGRESS_PORTS: setting('443,8443', 'Ports that endpoint URLs may name.'),
  POSTHORN_API_RATE_LIMIT: setting(
    '200',
    'Requests per second for each API key, burst twice that; 0 is off. `POST /v1/outcomes` and the operator are not limited.',
  ),
  POSTHORN_DISABLE_AFTER_HOURS: setting('120', 'Hours after which an endpoint that only fails is disabled.'),
  POSTHORN_MAX_IN_FLIGHT: setting('1000', 'Attempts under way at once, per process.'),
  POSTHORN_MAX_IN_FLIGHT_PER_ENDPOINT: setting(
    '20',
    'Attempts under way at once to one endpoint, per process; 2 while it fails.',
  ),
  POSTHORN_DRAIN_PER_SECOND: setting('50', 'Pace at which a re-enabled endpoint’s backlog is sent.'),
  POSTHORN_RETRY_BASE_SECONDS: setting('120', 'Upper bound of the first retry’s delay; doubles each time.'),
  POSTHORN_RETRY_CAP_SECONDS: setting('86400', 'No retry delay is drawn from beyond this.'),
  POSTHORN_LEASE_SECONDS: setting(
    '30',
    'How long a process may hold a delivery; must exceed the attempt timeout by more than 1 s.',
  ),
  POSTHORN_ATTEMPT_TIMEOUT_SECONDS: setting('15', 'Wall clock for one attempt.'),
  POSTHORN_RETENTION_DAYS: setting('30', 'Events, deliveries and attempts older than this are dropped.'),
  POSTHORN_DNS_SERVERS: setting(
    'those of the system',
    'Name servers that are asked for the addresses of endpoints and the records of sending domains: `address[:port]`, several with commas; IPv6 as `[address]:port`.',
  ),
  POSTHORN_SMTP_URL: setting(
    'unset',
    'The mail server that emails are handed to: `smtp://user:password@host:587` or `smtps://host:465`. STARTTLS is used where it is offered, with `?requireTLS=true` always; `?tls.rejectUnauthorized=false` accepts any certificate. Unset: nothing is sent.',
    { secret: true },
  ),
  POSTHORN_SMTP_FINAL_HOP: setting(
    'false',
    '`true` only where that server puts mail into the recipients’ mailboxes itself: what it takes is then `delivered`.',
  ),
  POSTHORN_NOTICES_FROM: setting(
    'unset',
    'Address that notices by mail come from, such as `posthorn@example.com`. Unset: no account can have notices by mail.',
  ),
  POSTHORN_RETURN_PATH_DOMAIN: setting(
    'unset',
    'Domain of return paths (`bounces+…@`) and of addresses to unsubscribe; its mail must come to Posthorn. Unset: bounces go to the From address.',
  ),
  POSTHORN_SMTP_PORT: setting(
    'unset',
    'Port on which Posthorn itself takes bounce messages, complaints and mails to unsubscribe; 0 picks a free one. Unset: it takes none. Needs `POSTHORN_RETURN_PATH_DOMAIN`.',
  ),
  POSTHORN_SMTP_HOST: setting('127.0.0.1', 'Address on which that port listens.'),
  POSTHORN_SMTP_TLS_CERT: setting(
    'unset',
    'PEM file with the certificate of that port, chain included. With `POSTHORN_SMTP_TLS_KEY` it offers STARTTLS.',
  ),
  POSTHORN_SMTP_TLS_KEY: setting('unset', 'PEM file with the private key of that certificate.'),
  POSTHORN_COMPLAINTS: setting(
    'true',
    '`false`: spam complaints make no `email.unsubscribed` and suppress nobody.',
  ),
  POSTHORN_LOG_LEVEL: setting(
    'info',
    '`debug`, `info`, `warn`, `error` or `silent`; structured JSON on stdout, pretty on a terminal.',
  ),
  POSTHORN_ROLE: setting('all', '`all`, `api` or `dispatcher`, for splitting processes.'),
  POSTHORN_PROCESSES: setting(
    '1',
    'How many processes one `posthorn start` runs on the same ports, for a machine with several cores. More than one needs `DATABASE_URL`. What is said of a process, such as attempts at once and connections to the database, is meant of each.',
  ),
  POSTHORN_URL: setting('http://127.0.0.1:4100', 'For the CLI: the running service.', { of: 'cli' }),
  POSTHORN_API_KEY: setting('unset', 'For the CLI: an API key of the account.', { secret: true, of: 'cli' }),
} as const

export type SettingName = keyof typeof settings

interface Setting {
  readonly defaultText: string
  readonly meaning: string
  /** Its value is shown to nobody. */
  readonly secret: boolean
  /** Whom it is for: the service, or the commands that talk to one. */
  readonly of: 'service' | 'cli'
}

function setting(
  defaultText: string,
  meaning: string,
  { secret = false, of = 'service' }: Partial<Pick<Setting, 'secret' | 'of'>> = {},
): Setting {
  return { defaultText, meaning, secret, of }
}
