import { z } from 'zod'
import { optional, type Setting, setting } from './define-setting.ts'
import { parseCidrs } from './domain/cidr.ts'
import { parseHeaderPrefix } from './domain/header-names.ts'
import { serverList } from './domain/server-list.ts'
import { parseSourceAddresses } from './domain/source-addresses.ts'
import { parseImapUrl } from './domain/imap-url.ts'
import { parseProxyUrl } from './domain/proxy-url.ts'
import { parseShardList } from './domain/shard-list.ts'
import { parseShardDatabases } from './domain/shard-databases.ts'
import { parseMailAddress, parseMailDomain, parseSmtpUrl } from './domain/smtp-url.ts'
import { operatorSettings } from './operator-settings.ts'
import { parseMasterKeys } from './seal/master-keys.ts'
import { parseNamedKeys } from './seal/named-keys.ts'
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
  rate,
  whole,
} from './setting-schemas.ts'

const addresses = {
  POSTHORN_HOST: setting('host', z.string(), '127.0.0.1', {
    meaning: 'The address on which the API, the dashboard and `/metrics` listen.',
  }),
  POSTHORN_PORT: setting('port', whole(0, 65_535), '4100', {
    meaning: 'The port on which they listen. 0 picks a free port and prints it.',
  }),
  POSTHORN_PUBLIC_URL: optional('publicUrl', httpUrl, 'from host and port', {
    meaning: 'The URL that customers see. Signing in needs https, except at `http://127.0.0.1`.',
  }),
  POSTHORN_API_RATE_LIMIT: setting('apiRateLimit', decimal(0), '200', {
    meaning:
      'Requests per second for each account, with bursts of twice as many. 0 turns the limit off. The limit does not apply to the operator or to `POST /v1/outcomes`.',
  }),
}

const data = {
  POSTHORN_DATA_DIR: setting('dataDir', z.string(), './.posthorn', {
    meaning:
      'The directory of the embedded database and generated keys. Posthorn creates it with mode 0700. Only one process may use it at a time.',
  }),
  DATABASE_URL: optional('databaseUrl', postgresUrl, 'unset', {
    secret: true,
    meaning:
      'The URL of a PostgreSQL server, version 15 or newer. Several Posthorn processes can share it. With several hosts (`postgres://user@a:5432,b:5432/db`), Posthorn uses the host that accepts writes, also after a failover. If unset, Posthorn uses the embedded database in the data directory.',
  }),
  POSTHORN_ADMIN_TOKEN: optional('adminToken', headerSecret, 'generated', {
    secret: true,
    meaning:
      'The operator token, at least 32 characters. If unset, Posthorn generates it at the first start and stores it in `<data dir>/admin-token` (mode 0600). With `DATABASE_URL` it is required, except for the role `dispatcher`.',
  }),
  POSTHORN_MASTER_KEYS: optional('masterKeys', parsed(parseMasterKeys), 'generated', {
    secret: true,
    meaning:
      'The keys that protect secrets at rest: `id:base64(32 bytes)[,id:…]`. The first key encrypts, and all keys decrypt. If unset, Posthorn generates a key at the first start and stores it in `<data dir>/master-keys` (mode 0600). With `DATABASE_URL` it is required.',
  }),
  POSTHORN_RETENTION_DAYS: setting('retentionDays', decimal(1), '30', {
    meaning:
      'How many days Posthorn keeps events, deliveries and attempts, and the domains of recipients in statistics.',
  }),
  POSTHORN_STATS_DAYS: setting('statsDays', decimal(15), '400', {
    meaning:
      'How many days Posthorn keeps statistics of attempts and outcomes. The default allows a comparison of each month with the same one a year before.',
  }),
}

const endpoints = {
  POSTHORN_EGRESS_ALLOW: setting('egressAllow', parsed(parseCidrs), '', {
    meaning:
      'Special-purpose networks (CIDRs) to which Posthorn may deliver, such as `127.0.0.0/8,::1/128` on a laptop. Posthorn always refuses link-local addresses and cloud metadata.',
  }),
  POSTHORN_EGRESS_DENY: setting('egressDeny', parsed(parseCidrs), '', {
    meaning:
      'Networks (CIDRs) to which Posthorn never delivers, even if they are public or in `POSTHORN_EGRESS_ALLOW`, such as your own public servers.',
  }),
  POSTHORN_EGRESS_PROXY: optional('egressProxy', parsed(parseProxyUrl), 'unset', {
    secret: true,
    meaning:
      'The proxy through which Posthorn reaches endpoints: `http://host:port` (CONNECT) or `socks5://host:port`, with `user:password@` before the host if needed. Posthorn asks it for a connection to an address that it has checked.',
  }),
  POSTHORN_EGRESS_PROXY_CHECKS: setting('egressProxyChecks', flag, 'false', {
    meaning:
      '`true` leaves the check to the proxy, such as smokescreen: Posthorn asks for a connection to the name and does not resolve it. Never use it with a proxy that may reach your own network.',
  }),
  POSTHORN_EGRESS_SOURCE_ADDRESS: optional('egressSourceAddress', parsed(parseSourceAddresses), 'unset', {
    meaning:
      'The address of this host from which Posthorn sends to endpoints: one IPv4 address, one IPv6 address, or both, separated by a comma. With only one, Posthorn does not use the other family.',
  }),
  POSTHORN_EGRESS_HTTP: setting('egressHttp', flag, 'false', {
    meaning: '`true` allows `http:` endpoint URLs and any port.',
  }),
  POSTHORN_EGRESS_PORTS: setting('egressPorts', ports, '443,8443', {
    meaning: 'The ports that endpoint URLs may use.',
  }),
  POSTHORN_DNS_SERVERS: optional('dnsServers', parsed(serverList), 'those of the system', {
    meaning:
      'The name servers for endpoint addresses and the records of sending domains: `address[:port]`, separated by commas. Write IPv6 as `[address]:port`.',
  }),
  POSTHORN_HEADER_PREFIX: setting('headerPrefix', parsed(parseHeaderPrefix), 'X-Service', {
    meaning:
      'The beginning of the names of Posthorn’s headers, such as `X-Acme` for `X-Acme-Signature` and `X-Acme-Verified`. Receivers need the name of the signature header too. `posthorn listen` and `posthorn verify` also read this setting.',
  }),
  POSTHORN_DISABLE_AFTER_HOURS: setting('disableAfterMs', durationMs(3_600_000, 0), '120', {
    meaning: 'Posthorn disables an endpoint if all its attempts, at least 20, fail for this many hours.',
  }),
}

const deliveries = {
  POSTHORN_MAX_IN_FLIGHT: setting('inFlightMax', whole(1, 100_000), '1000', {
    meaning: 'The maximum number of attempts in flight, for each process.',
  }),
  POSTHORN_MAX_IN_FLIGHT_PER_ENDPOINT: setting('inFlightPerEndpointMax', whole(1, 10_000), '20', {
    meaning:
      'The maximum number of attempts in flight to one endpoint, for each process. For a failing endpoint it is 2.',
  }),
  POSTHORN_DRAIN_PER_SECOND: setting('drainPerSecond', decimal(0.01), '50', {
    meaning:
      'How many deliveries per second Posthorn sends from the backlog of an endpoint that was enabled again.',
  }),
  POSTHORN_RETRY_BASE_SECONDS: setting('retryBaseSeconds', decimal(0), '120', {
    meaning: 'The maximum delay before the first retry. It doubles with each retry.',
  }),
  POSTHORN_RETRY_CAP_SECONDS: setting('retryCapSeconds', decimal(0), '86400', {
    meaning: 'The upper limit of retry delays, unless `Retry-After` asks for a longer one.',
  }),
  POSTHORN_RETRY_BASE_MIN_SECONDS: setting('retryBaseMinSeconds', decimal(0), '1', {
    meaning:
      'The smallest `retry_base_seconds` and `retry_cap_seconds` that an endpoint may have. The largest is the longest delay that the two settings above allow.',
  }),
  POSTHORN_LEASE_SECONDS: setting('leaseMs', durationMs(1_000, 0, 3_600), '20', {
    meaning:
      'If a process does not renew its lease for this long, other processes take over its deliveries. It must exceed the longest attempt timeout by more than 1 s.',
  }),
  POSTHORN_ATTEMPT_TIMEOUT_SECONDS: setting('attemptTimeoutMs', durationMs(1_000, 0.01), '15', {
    meaning: 'The time limit of one attempt, including DNS and connecting.',
  }),
  POSTHORN_ATTEMPT_TIMEOUT_MAX_SECONDS: optional(
    'attemptTimeoutMaxMs',
    durationMs(1_000, 0.01),
    'the same as POSTHORN_ATTEMPT_TIMEOUT_SECONDS',
    { meaning: 'The longest `attempt_timeout_seconds` that an endpoint may have.' },
  ),
}

const mail = {
  POSTHORN_SMTP_URL: optional('smtp', parsed(parseSmtpUrl), 'unset', {
    secret: true,
    meaning:
      'The mail server that sends emails: `smtp://user:password@host:587` or `smtps://host:465`. Posthorn uses STARTTLS if the server offers it. `?requireTLS=true` requires it, and `?tls.rejectUnauthorized=false` accepts any certificate. If unset, Posthorn sends no emails.',
  }),
  POSTHORN_SMTP_FINAL_HOP: setting('smtpFinalHop', flag, 'false', {
    meaning:
      '`true` if this server stores emails in the mailboxes itself. An email that it accepts is then `delivered`.',
  }),
  POSTHORN_NOTICES_FROM: optional('noticesFrom', parsed(parseMailAddress), 'unset', {
    meaning:
      'The From address of notices by email, such as `posthorn@example.com`. If unset, Posthorn sends no notices by email.',
  }),
  POSTHORN_RETURN_PATH_DOMAIN: optional('returnPathDomain', parsed(parseMailDomain), 'unset', {
    meaning:
      'The domain of return paths (`bounces+…@`) and unsubscribe addresses. Its mail must reach Posthorn. If unset, bounces go to the From address.',
  }),
  POSTHORN_SMTP_PORT: optional('smtpPort', whole(0, 65_535), 'unset', {
    meaning:
      'The port on which Posthorn receives bounce messages, complaints and unsubscribe emails by SMTP. 0 picks a free port. If unset, Posthorn does not listen for SMTP. Needs `POSTHORN_RETURN_PATH_DOMAIN`.',
  }),
  POSTHORN_SMTP_HOST: setting('smtpHost', z.string(), '127.0.0.1', {
    meaning: 'The address on which the SMTP port listens.',
  }),
  POSTHORN_SMTP_TLS_CERT: optional('smtpTlsCert', z.string(), 'unset', {
    meaning:
      'The PEM file with the certificate and chain of the SMTP port, for STARTTLS. Needs `POSTHORN_SMTP_TLS_KEY`.',
  }),
  POSTHORN_SMTP_TLS_KEY: optional('smtpTlsKey', z.string(), 'unset', {
    meaning: 'The PEM file with the private key of this certificate.',
  }),
  POSTHORN_COMPLAINTS: setting('complaints', flag, 'true', {
    meaning: '`false`: a spam complaint creates no `email.unsubscribed` event and no suppression.',
  }),
  POSTHORN_BOUNCE_RATE_WARNING: setting('bounceRateWarning', rate, '2%', {
    meaning:
      'The dashboard warns of a higher bounce rate: `bounced / (delivered + bounced + failed)`. A fraction, or a percentage such as `2%`.',
  }),
  POSTHORN_BOUNCE_RATE_RISK: setting('bounceRateRisk', rate, '5%', {
    meaning: 'The dashboard shows a higher bounce rate as a risk.',
  }),
  POSTHORN_COMPLAINT_RATE_WARNING: setting('complaintRateWarning', rate, '0.08%', {
    meaning: 'The dashboard warns of a higher complaint rate: `complaints / delivered`.',
  }),
  POSTHORN_COMPLAINT_RATE_RISK: setting('complaintRateRisk', rate, '0.1%', {
    meaning: 'The dashboard shows a higher complaint rate as a risk.',
  }),
  POSTHORN_SUSPEND_BOUNCE_RATE: optional('suspendBounceRate', rate, 'unset', {
    meaning:
      'An account with a higher bounce rate in 24 hours cannot send until the operator lifts the suspension. If unset, none is suspended for bounces.',
  }),
  POSTHORN_SUSPEND_COMPLAINT_RATE: optional('suspendComplaintRate', rate, 'unset', {
    meaning: 'The same for the complaint rate.',
  }),
  POSTHORN_SUSPEND_MIN_OUTCOMES: setting('suspendOutcomesMin', whole(1, 1_000_000_000), '1000', {
    meaning: 'Accounts with fewer outcomes in 24 hours are not suspended.',
  }),
}

const processes = {
  POSTHORN_LOG_LEVEL: setting('logLevel', oneOf('info', 'debug', 'warn', 'error', 'silent'), 'info', {
    meaning:
      '`debug`, `info`, `warn`, `error` or `silent`. The log is structured JSON on stdout, and readable text on a terminal.',
  }),
  POSTHORN_ROLE: setting('role', oneOf('all', 'api', 'dispatcher', 'front'), 'all', {
    meaning:
      'What this process does: `all`, only the `api`, only deliveries (`dispatcher`), or forward requests to shards (`front`).',
  }),
  POSTHORN_PROCESSES: setting('processes', whole(1, 64), '1', {
    meaning:
      'How many processes one `posthorn start` runs on the same ports, for a machine with several cores. More than one needs `DATABASE_URL`, except with `POSTHORN_ROLE=front`. Limits for each process apply to each of them.',
  }),
}

const telemetry = {
  OTEL_EXPORTER_OTLP_ENDPOINT: optional('otlpEndpoint', z.string(), 'unset', {
    secret: true,
    meaning:
      'The OpenTelemetry collector that gets traces, metrics and logs by OTLP over HTTP, such as `http://127.0.0.1:4318`. If unset, Posthorn exports nothing. [OpenTelemetry](run/opentelemetry.md) lists the other standard variables.',
  }),
}

const shards = {
  POSTHORN_SHARDS: optional('shards', parsed(parseShardList), 'unset', {
    meaning:
      'For fronts, which need it, and for commands about shards: the number and URL of each shard, such as `0=http://10.0.0.1:4100,1=http://10.0.0.2:4100`.',
  }),
  POSTHORN_SHARD_KEYS: optional(
    'shardKeys',
    parsed(text => parseNamedKeys(text, 'shard key')),
    'unset',
    {
      secret: true,
      meaning:
        'The keys with which fronts and shards prove to each other who they are: `id:base64(32 bytes)[,id:…]`. The first key signs, and all keys verify. To replace a key, add the new one at the end everywhere, then put it first everywhere, then remove the old one. Traffic between fronts and shards is not encrypted unless the URLs begin with `https:`. A front needs the keys. A process that is not a front and has them is a shard: it answers only requests that a front has signed, except `/healthz`, `/readyz` and `/metrics`. A shard also needs `POSTHORN_MASTER_KEYS`, `POSTHORN_ADMIN_TOKEN` and `POSTHORN_PUBLIC_URL`, with the same values on all shards.',
    },
  ),
  POSTHORN_MIXED_REPORTS: setting('mixedReports', oneOf('outcome_id', 'any'), 'outcome_id', {
    meaning:
      'Which reports of the operator a front accepts if their accounts are on several shards. `outcome_id`: only those that give each outcome an `outcome_id`, so that a report that failed in part is safe to repeat. `any`: all.',
  }),
}

const commandLine = {
  POSTHORN_URL: setting('url', httpUrl, 'http://127.0.0.1:4100', {
    meaning: 'The URL of the running service.',
  }),
  POSTHORN_API_KEY: optional('apiKey', z.string(), 'unset', {
    secret: true,
    meaning: 'An API key of your account.',
  }),
  POSTHORN_IMAP_URL: optional('imap', parsed(parseImapUrl), 'unset', {
    secret: true,
    meaning:
      'The mailbox that `posthorn ingest imap` reads: `imaps://user:password@host/INBOX`, or `imap://…` for STARTTLS, which is required except on this machine. Write `@` in the user as `%40`.',
  }),
  POSTHORN_SHARD_DATABASES: optional('shardDatabases', parsed(parseShardDatabases), 'unset', {
    secret: true,
    meaning:
      'The PostgreSQL URL of each shard, for `posthorn accounts move` and `posthorn shards move`: `0=postgres://…,1=postgres://…`. Accounts: a role in it may create publications and subscriptions. Shards: it is a superuser, and the URL names both servers.',
  }),
}

/** The settings of the service. */
export const serviceSettings = {
  ...addresses,
  ...data,
  ...operatorSettings,
  ...endpoints,
  ...deliveries,
  ...mail,
  ...processes,
  ...telemetry,
  ...shards,
}

export const serviceSettingNames = Object.keys(serviceSettings) as (keyof typeof serviceSettings)[]

/** The settings of the service and of commands that talk to it. */
export const settings = { ...serviceSettings, ...commandLine }

/** All settings under the headings of `docs/configuration.md`. */
export const settingGroups: Readonly<Record<string, Readonly<Record<string, Setting>>>> = {
  'Addresses and requests': addresses,
  'Data and secrets': data,
  Operators: operatorSettings,
  Endpoints: endpoints,
  Deliveries: deliveries,
  Mail: mail,
  'Processes and log': processes,
  OpenTelemetry: telemetry,
  Shards: shards,
  'The command line': commandLine,
}

export type SettingName = keyof typeof settings

/** The parsed settings, by field name. */
export type Fields<Name extends SettingName> = {
  [One in Name as (typeof settings)[One]['field']]: z.output<(typeof settings)[One]['schema']>
}
