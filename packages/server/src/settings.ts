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
    meaning: 'Address on which the API and `/metrics` listen.',
  }),
  POSTHORN_PORT: setting('port', whole(0, 65_535), '4100', {
    meaning: 'Port on which they listen; 0 picks a free port and logs it.',
  }),
  POSTHORN_PUBLIC_URL: optional('publicUrl', httpUrl, 'from host and port', {
    meaning: 'The address that customers see. Signing in needs https, except at `http://127.0.0.1`.',
  }),
  POSTHORN_API_RATE_LIMIT: setting('apiRateLimit', decimal(0), '200', {
    meaning:
      'Requests per second for each API key, with bursts of twice as many; 0 turns the limit off. It does not apply to the operator or to `POST /v1/outcomes`.',
  }),
}

const data = {
  POSTHORN_DATA_DIR: setting('dataDir', z.string(), './.posthorn', {
    meaning:
      'Directory of the embedded database and generated keys, with mode 0700. For one process at a time.',
  }),
  DATABASE_URL: optional('databaseUrl', postgresUrl, 'unset', {
    secret: true,
    meaning:
      'A server with PostgreSQL 15 or newer, which any number of Posthorn processes may share. Unset: the embedded database in the data directory. It may name several hosts (`postgres://user@a:5432,b:5432/db`): Posthorn uses the one that accepts writes, also after a failover.',
  }),
  POSTHORN_ADMIN_TOKEN: optional('adminToken', headerSecret, 'generated', {
    secret: true,
    meaning:
      'The operator token, at least 32 characters. Unset: the first start creates one in `<data dir>/admin-token` (0600). Required with `DATABASE_URL`, except for the role `dispatcher`.',
  }),
  POSTHORN_MASTER_KEYS: optional('masterKeys', parsed(parseMasterKeys), 'generated', {
    secret: true,
    meaning:
      '`id:base64(32 bytes)[,id:…]`: the first key encrypts secrets at rest, and all keys decrypt. Unset: the first start creates one in `<data dir>/master-keys` (0600). Required with `DATABASE_URL`.',
  }),
  POSTHORN_RETENTION_DAYS: setting('retentionDays', decimal(1), '30', {
    meaning: 'Days after which Posthorn deletes events, deliveries and attempts.',
  }),
}

const endpoints = {
  POSTHORN_EGRESS_ALLOW: setting('egressAllow', parsed(parseCidrs), '', {
    meaning:
      'Special-purpose address ranges (CIDR) that Posthorn may deliver to, such as `127.0.0.0/8,::1/128` on a laptop. Link-local addresses and cloud metadata stay forbidden.',
  }),
  POSTHORN_EGRESS_HTTP: setting('egressHttp', flag, 'false', {
    meaning: '`true` allows `http:` endpoint URLs and any port.',
  }),
  POSTHORN_EGRESS_PORTS: setting('egressPorts', ports, '443,8443', {
    meaning: 'Ports that endpoint URLs may name.',
  }),
  POSTHORN_DNS_SERVERS: optional('dnsServers', parsed(serverList), 'those of the system', {
    meaning:
      'DNS servers for the addresses of endpoints and the records of sending domains: `address[:port]`, separated by commas; IPv6 as `[address]:port`.',
  }),
  POSTHORN_DISABLE_AFTER_HOURS: setting('disableAfterMs', durationMs(3_600_000, 0), '120', {
    meaning: 'Hours after which Posthorn disables an endpoint if every attempt fails.',
  }),
}

const deliveries = {
  POSTHORN_MAX_IN_FLIGHT: setting('inFlightMax', whole(1, 100_000), '1000', {
    meaning: 'Maximum attempts in flight, per process.',
  }),
  POSTHORN_MAX_IN_FLIGHT_PER_ENDPOINT: setting('inFlightPerEndpointMax', whole(1, 10_000), '20', {
    meaning: 'Maximum attempts in flight to one endpoint, per process; 2 while it fails.',
  }),
  POSTHORN_DRAIN_PER_SECOND: setting('drainPerSecond', decimal(0.01), '50', {
    meaning: 'Deliveries per second from the backlog of an endpoint that was enabled again.',
  }),
  POSTHORN_RETRY_BASE_SECONDS: setting('retryBaseSeconds', decimal(0), '120', {
    meaning: 'Upper bound of the delay before the first retry; it doubles for each further retry.',
  }),
  POSTHORN_RETRY_CAP_SECONDS: setting('retryCapSeconds', decimal(0), '86400', {
    meaning: 'Maximum of that upper bound.',
  }),
  POSTHORN_LEASE_SECONDS: setting('leaseMs', durationMs(1_000, 0, 3_600), '20', {
    meaning:
      'Seconds without a sign of life after which the claimed deliveries of a process are due again. Must exceed the attempt timeout by more than 1 s.',
  }),
  POSTHORN_ATTEMPT_TIMEOUT_SECONDS: setting('attemptTimeoutMs', durationMs(1_000, 0.01), '15', {
    meaning: 'Time limit for one attempt.',
  }),
}

const mail = {
  POSTHORN_SMTP_URL: optional('smtp', parsed(parseSmtpUrl), 'unset', {
    secret: true,
    meaning:
      'The mail server for outgoing email: `smtp://user:password@host:587` or `smtps://host:465`. Posthorn uses STARTTLS if the server offers it; `?requireTLS=true` requires it, and `?tls.rejectUnauthorized=false` accepts any certificate. Unset: Posthorn sends no email.',
  }),
  POSTHORN_SMTP_FINAL_HOP: setting('smtpFinalHop', flag, 'false', {
    meaning:
      '`true` if that server delivers to the mailboxes itself. An email that it accepts is then `delivered`.',
  }),
  POSTHORN_NOTICES_FROM: optional('noticesFrom', parsed(parseMailAddress), 'unset', {
    meaning: 'From address of notices by email, such as `posthorn@example.com`. Unset: Posthorn sends none.',
  }),
  POSTHORN_RETURN_PATH_DOMAIN: optional('returnPathDomain', parsed(parseMailDomain), 'unset', {
    meaning:
      'Domain of return paths (`bounces+…@`) and unsubscribe addresses. Its mail must arrive at Posthorn. Unset: bounces go to the From address.',
  }),
  POSTHORN_SMTP_PORT: optional('smtpPort', whole(0, 65_535), 'unset', {
    meaning:
      'SMTP port on which Posthorn receives bounce messages, complaints and unsubscribe mail; 0 picks a free port. Unset: it receives none. Needs `POSTHORN_RETURN_PATH_DOMAIN`.',
  }),
  POSTHORN_SMTP_HOST: setting('smtpHost', z.string(), '127.0.0.1', {
    meaning: 'Address on which that port listens.',
  }),
  POSTHORN_SMTP_TLS_CERT: optional('smtpTlsCert', z.string(), 'unset', {
    meaning:
      'PEM file with the certificate and chain of that port, for STARTTLS. Needs `POSTHORN_SMTP_TLS_KEY`.',
  }),
  POSTHORN_SMTP_TLS_KEY: optional('smtpTlsKey', z.string(), 'unset', {
    meaning: 'PEM file with the private key of that certificate.',
  }),
  POSTHORN_COMPLAINTS: setting('complaints', flag, 'true', {
    meaning: '`false`: spam complaints create no `email.unsubscribed` and no suppression.',
  }),
}

const processes = {
  POSTHORN_LOG_LEVEL: setting('logLevel', oneOf('info', 'debug', 'warn', 'error', 'silent'), 'info', {
    meaning:
      '`debug`, `info`, `warn`, `error` or `silent`. The log is JSON lines on stdout, formatted on a terminal.',
  }),
  POSTHORN_ROLE: setting('role', oneOf('all', 'api', 'dispatcher'), 'all', {
    meaning: 'What the process does: `all`, `api` or `dispatcher`.',
  }),
  POSTHORN_PROCESSES: setting('processes', whole(1, 64), '1', {
    meaning:
      'How many processes one `posthorn start` runs on the same ports, for a machine with several cores. More than one needs `DATABASE_URL`. A limit per process applies to each of them.',
  }),
}

const commandLine = {
  POSTHORN_URL: setting('url', httpUrl, 'http://127.0.0.1:4100', { meaning: 'URL of the running service.' }),
  POSTHORN_API_KEY: optional('apiKey', z.string(), 'unset', {
    secret: true,
    meaning: 'An API key of the account.',
  }),
}

/** The settings of the service. */
export const serviceSettings = { ...addresses, ...data, ...endpoints, ...deliveries, ...mail, ...processes }

export const serviceSettingNames = Object.keys(serviceSettings) as (keyof typeof serviceSettings)[]

/** The settings of the service and of the commands that call it. */
export const settings = { ...serviceSettings, ...commandLine }

/** All settings by their heading in `docs/configuration.md`. */
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

/** The parsed settings by the name of their field. */
export type Fields<Name extends SettingName> = {
  [One in Name as (typeof settings)[One]['field']]: z.output<(typeof settings)[One]['schema']>
}

export interface Setting {
  readonly field: string
  /** Parses the text in the environment; the text is undefined if the setting is not set. */
  readonly schema: z.ZodType
  /** The default, for people. */
  readonly unset: string
  readonly meaning: string
  /** Whether the value must never be shown. */
  readonly secret?: boolean
}

type Facts = Pick<Setting, 'meaning' | 'secret'>
type FromText = z.ZodType<unknown, string>

/** A setting whose field is null if it is not set. */
function optional<const F extends string, S extends FromText>(
  field: F,
  schema: S,
  unset: string,
  facts: Facts,
) {
  return { field, schema: schema.nullable().default(null), unset, ...facts }
}

/** A setting with a default, in the form that the operator would set. */
function setting<const F extends string, S extends FromText>(
  field: F,
  schema: S,
  text: string,
  facts: Facts,
) {
  return { field, schema: schema.prefault(text as z.input<S>), unset: text || 'empty', ...facts }
}
