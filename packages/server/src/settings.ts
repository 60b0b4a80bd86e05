import { z } from 'zod'
import { parseCidrs } from './domain/cidr.ts'
import { serverList } from './domain/server-list.ts'
import { parseMailAddress, parseMailDomain, parseSmtpUrl } from './domain/smtp-url.ts'
import { parseMasterKeys } from './seal/master-keys.ts'
import {
  decimal,
  durationMs,
  flag,
  headerSecret,
  httpUrl,
  oneOf,
  parsed,
  ports,
  postgresUrl,
  whole,
} from './setting-schemas.ts'

const addresses = {
  POSTHORN_HOST: setting('host', z.string(), '127.0.0.1', {
    meaning: 'Address on which API and `/metrics` listen.',
  }),
  POSTHORN_PORT: setting('port', whole(0, 65_535), '4100', {
    meaning: 'Port on which they listen; 0 picks a free one and prints it.',
  }),
  POSTHORN_PUBLIC_URL: optional('publicUrl', httpUrl, 'from host and port', {
    meaning: 'The address that customers see. Signing in needs https, except at `http://127.0.0.1`.',
  }),
  POSTHORN_API_RATE_LIMIT: setting('apiRateLimit', decimal(0), '200', {
    meaning:
      'Requests per second for each API key, burst twice that; 0 is off. Not for the operator, nor for `POST /v1/outcomes`.',
  }),
}

const data = {
  POSTHORN_DATA_DIR: setting('dataDir', z.string(), './.posthorn', {
    meaning: 'Embedded database and generated keys; made with mode 0700. One process at a time.',
  }),
  DATABASE_URL: optional('databaseUrl', postgresUrl, 'unset', {
    secret: true,
    meaning:
      'Unset: the embedded database in the data directory. Set: a PostgreSQL 15+ server that any number of Posthorn processes may share. Several hosts are allowed (`postgres://user@a:5432,b:5432/db`): the one that takes writes is used, after a failover the one that does then.',
  }),
  POSTHORN_ADMIN_TOKEN: optional('adminToken', headerSecret, 'generated', {
    secret: true,
    meaning:
      'The operator’s credential, at least 32 characters. Unset: made at the first start and kept in `<data dir>/admin-token` (0600). With `DATABASE_URL` it must be set (role `dispatcher` needs none).',
  }),
  POSTHORN_MASTER_KEYS: optional('masterKeys', parsed(parseMasterKeys), 'generated', {
    secret: true,
    meaning:
      '`id:base64(32 bytes)[,id:…]`: the first encrypts secrets at rest, all decrypt. Unset: made at the first start and kept in `<data dir>/master-keys` (0600). With `DATABASE_URL` it must be set.',
  }),
  POSTHORN_RETENTION_DAYS: setting('retentionDays', decimal(1), '30', {
    meaning: 'Events, deliveries and attempts older than this are dropped.',
  }),
}

const endpoints = {
  POSTHORN_EGRESS_ALLOW: setting('egressAllow', parsed(parseCidrs), '', {
    meaning:
      'CIDRs that may be delivered to although they are special-purpose, such as `127.0.0.0/8,::1/128` on a laptop. Link-local addresses and cloud metadata stay refused.',
  }),
  POSTHORN_EGRESS_HTTP: setting('egressHttp', flag, 'false', {
    meaning: '`true` allows `http:` endpoint URLs and any port.',
  }),
  POSTHORN_EGRESS_PORTS: setting('egressPorts', ports, '443,8443', {
    meaning: 'Ports that endpoint URLs may name.',
  }),
  POSTHORN_DNS_SERVERS: optional('dnsServers', parsed(serverList), 'those of the system', {
    meaning:
      'Name servers that are asked for the addresses of endpoints and the records of sending domains: `address[:port]`, several with commas; IPv6 as `[address]:port`.',
  }),
  POSTHORN_DISABLE_AFTER_HOURS: setting('disableAfterMs', durationMs(3_600_000, 0), '120', {
    meaning: 'Hours after which an endpoint that only fails is disabled.',
  }),
}

const deliveries = {
  POSTHORN_MAX_IN_FLIGHT: setting('inFlightMax', whole(1, 100_000), '1000', {
    meaning: 'Attempts under way at once, per process.',
  }),
  POSTHORN_MAX_IN_FLIGHT_PER_ENDPOINT: setting('inFlightPerEndpointMax', whole(1, 10_000), '20', {
    meaning: 'Attempts under way at once to one endpoint, per process; 2 while it fails.',
  }),
  POSTHORN_DRAIN_PER_SECOND: setting('drainPerSecond', decimal(0.01), '50', {
    meaning: 'Pace at which a re-enabled endpoint’s backlog is sent.',
  }),
  POSTHORN_RETRY_BASE_SECONDS: setting('retryBaseSeconds', decimal(0), '120', {
    meaning: 'Upper bound of the first retry’s delay; doubles each time.',
  }),
  POSTHORN_RETRY_CAP_SECONDS: setting('retryCapSeconds', decimal(0), '86400', {
    meaning: 'No retry delay is drawn from beyond this.',
  }),
  POSTHORN_LEASE_SECONDS: setting('leaseMs', durationMs(1_000, 0, 3_600), '20', {
    meaning:
      'What a process holds is due again when it has been silent for so long; must exceed the attempt timeout by more than 1 s.',
  }),
  POSTHORN_ATTEMPT_TIMEOUT_SECONDS: setting('attemptTimeoutMs', durationMs(1_000, 0.01), '15', {
    meaning: 'Wall clock for one attempt.',
  }),
}

const mail = {
  POSTHORN_SMTP_URL: optional('smtp', parsed(parseSmtpUrl), 'unset', {
    secret: true,
    meaning:
      'The mail server that emails are handed to: `smtp://user:password@host:587` or `smtps://host:465`. STARTTLS is used where it is offered, with `?requireTLS=true` always; `?tls.rejectUnauthorized=false` accepts any certificate. Unset: nothing is sent.',
  }),
  POSTHORN_SMTP_FINAL_HOP: setting('smtpFinalHop', flag, 'false', {
    meaning: '`true` if that server itself fills the mailboxes: what it takes is then `delivered`.',
  }),
  POSTHORN_NOTICES_FROM: optional('noticesFrom', parsed(parseMailAddress), 'unset', {
    meaning: 'From address of notices by mail, `posthorn@example.com` say. Unset: there are none.',
  }),
  POSTHORN_RETURN_PATH_DOMAIN: optional('returnPathDomain', parsed(parseMailDomain), 'unset', {
    meaning:
      'Domain of return paths (`bounces+…@`) and of addresses to unsubscribe; its mail must come to Posthorn. Unset: bounces go to the From address.',
  }),
  POSTHORN_SMTP_PORT: optional('smtpPort', whole(0, 65_535), 'unset', {
    meaning:
      'Port on which Posthorn itself takes bounce messages, complaints and mails to unsubscribe; 0 picks a free one. Unset: it takes none. Needs `POSTHORN_RETURN_PATH_DOMAIN`.',
  }),
  POSTHORN_SMTP_HOST: setting('smtpHost', z.string(), '127.0.0.1', {
    meaning: 'Address on which that port listens.',
  }),
  POSTHORN_SMTP_TLS_CERT: optional('smtpTlsCert', z.string(), 'unset', {
    meaning: 'PEM file with that port’s certificate and chain, for STARTTLS. Needs `POSTHORN_SMTP_TLS_KEY`.',
  }),
  POSTHORN_SMTP_TLS_KEY: optional('smtpTlsKey', z.string(), 'unset', {
    meaning: 'PEM file with the private key of that certificate.',
  }),
  POSTHORN_COMPLAINTS: setting('complaints', flag, 'true', {
    meaning: '`false`: spam complaints make no `email.unsubscribed` and suppress nobody.',
  }),
}

const processes = {
  POSTHORN_LOG_LEVEL: setting('logLevel', oneOf('info', 'debug', 'warn', 'error', 'silent'), 'info', {
    meaning: '`debug`, `info`, `warn`, `error` or `silent`; structured JSON on stdout, pretty on a terminal.',
  }),
  POSTHORN_ROLE: setting('role', oneOf('all', 'api', 'dispatcher'), 'all', {
    meaning: '`all`, `api` or `dispatcher`, for splitting processes.',
  }),
  POSTHORN_PROCESSES: setting('processes', whole(1, 64), '1', {
    meaning:
      'How many processes one `posthorn start` runs on the same ports, for a machine with several cores. More than one needs `DATABASE_URL`. A limit per process, such as attempts at once, applies to each of them.',
  }),
}

const commandLine = {
  POSTHORN_URL: setting('url', httpUrl, 'http://127.0.0.1:4100', { meaning: 'The running service.' }),
  POSTHORN_API_KEY: optional('apiKey', z.string(), 'unset', {
    secret: true,
    meaning: 'An API key of the account.',
  }),
}

/** What the service reads. */
export const serviceSettings = { ...addresses, ...data, ...endpoints, ...deliveries, ...mail, ...processes }

export const serviceSettingNames = Object.keys(serviceSettings) as (keyof typeof serviceSettings)[]

/** What the service and the commands that talk to one read. */
export const settings = { ...serviceSettings, ...commandLine }

/** All of them under the headings of `docs/configuration.md`. */
export const settingGroups: Readonly<Record<string, Readonly<Record<string, Setting>>>> = {
  'Addresses and requests': addresses,
  'Data and secrets': data,
  Endpoints: endpoints,
  Deliveries: deliveries,
  Mail: mail,
  'Processes and log': processes,
  'The command line': commandLine,
}

export type SettingName = keyof typeof settings

/** What settings become in the code, each under the name of its field. */
export type Fields<Name extends SettingName> = {
  [One in Name as (typeof settings)[One]['field']]: z.output<(typeof settings)[One]['schema']>
}

export interface Setting {
  readonly field: string
  /** Reads the text of the environment; undefined when it is not set. */
  readonly schema: z.ZodType
  /** What holds when it is not set, for people. */
  readonly unset: string
  readonly meaning: string
  /** Its value is shown to nobody. */
  readonly secret?: boolean
}

type Facts = Pick<Setting, 'meaning' | 'secret'>
type FromText = z.ZodType<unknown, string>

/** A setting whose field is null when it is not set. */
function optional<const F extends string, S extends FromText>(
  field: F,
  schema: S,
  unset: string,
  facts: Facts,
) {
  return { field, schema: schema.nullable().default(null), unset, ...facts }
}

/** A setting with a default, which is a text as one would set it. */
function setting<const F extends string, S extends FromText>(
  field: F,
  schema: S,
  text: string,
  facts: Facts,
) {
  return { field, schema: schema.prefault(text as z.input<S>), unset: text || 'empty', ...facts }
}
