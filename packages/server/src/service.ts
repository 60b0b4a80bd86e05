import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { openApi } from './api-side.ts'
import { type Config, ConfigError } from './config.ts'
import type { Clock, Ctx, Random } from './context.ts'
import { adminTokenFrom } from './credentials.ts'
import { migrate } from './db/migrate.ts'
import { type DeliverySide, openDeliverySide } from './delivery-side.ts'
import { Wake } from './dispatch/wake.ts'
import { OwnShard } from './directory/own-shard.ts'
import { readInstallation } from './directory/read-installation.ts'
import { openDns } from './dns/open-dns.ts'
import { drainGivenUpAfterMs } from './domain/drain-limits.ts'
import { headerNames } from './domain/header-names.ts'
import { createUrlPolicy } from './domain/url-policy.ts'
import { createUuidV7 } from './domain/uuid-v7.ts'
import { openEgress } from './egress/open-egress.ts'
import { endsWithin } from './ends-within.ts'
import { closeApp, listeningUrl } from './listening.ts'
import { openIntake } from './intake-side.ts'
import type { Log } from './log.ts'
import { openHandover, returnPathOf } from './mail-side.ts'
import { startMaintenance } from './maintenance-side.ts'
import { ensurePartitions } from './maintenance/ensure-partitions.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { openClocks } from './open-clocks.ts'
import { openDatabases } from './open-databases.ts'
import { openSeal } from './open-seal.ts'
import { openSmtpPort } from './open-smtp-port.ts'
import type { IntakeOptions } from './outcomes/intake.ts'
import type { Member } from './processes/this-member.ts'
import { refuseForeignSource } from './refuse-foreign-source.ts'
import { refuseUnguardedShard } from './refuse-unguarded-shard.ts'
import { ownMail } from './smtp-port/own-mail.ts'
import { openReportNotes } from './sources/mail-sources.ts'
import { openStatistics } from './stats/open-statistics.ts'
import type { Statistics } from './stats/statistics.ts'
import { systemClock, systemRandom } from './system-clock.ts'
import { openQueueReader } from './system/queue-reader.ts'
import type { Telemetry } from './telemetry/telemetry.ts'
import { packageVersion } from './version.ts'

/** A running Posthorn. Disposing drains it: it stops accepting, finishes attempts in flight, and returns other claims. */
export interface Service extends AsyncDisposable {
  /** The URL of the API, with the actual port. */
  readonly url: string
  /** The file with the generated operator token; null if the token is configured. */
  readonly adminTokenPath: string | null
  /** Rejects if the database is lost and the process must end. */
  readonly lost: Promise<never>
  /**
   * Drains, like disposing. False if that takes more than 25 seconds: then the caller must end the process. Unsaved results
   * are lost, and their deliveries are sent again when the leases end.
   */
  drain(): Promise<boolean>
}

/** Replacements for tests and benches, and the group of processes that this one belongs to. */
export interface ServiceOptions {
  clock?: Clock
  random?: Random
  /** Replaces `accept`. */
  store?: IntakeOptions['store']
  member?: Member | null
  telemetry?: Telemetry | null
}

/** The composition root: it creates all parts and connects them. */
export async function openService(config: Config, log: Log, options: ServiceOptions = {}): Promise<Service> {
  await using opened = new AsyncDisposableStack()
  const random = options.random ?? systemRandom
  const processId = randomUUID()
  const version = packageVersion()
  const { role } = config
  if (role === 'front')
    throw new ConfigError('POSTHORN_ROLE=front has no database and cannot run the service')
  if (config.egressSourceAddress !== null) await refuseForeignSource(config.egressSourceAddress)
  const sends = role !== 'api'
  const serves = role !== 'dispatcher'
  const lost = Promise.withResolvers<never>()
  lost.promise.catch(() => {})

  // the database, its clock and its schema
  let statistics: Statistics | undefined
  const databases = await openDatabases(config, opened, {
    onLost: lost.reject,
    onTrouble: message => log.error(message),
    onAnswerLost: () => statistics?.answerLost(),
  })
  const { db, hotDb, history } = databases
  const { retentionDays, leaseMs } = config
  const retry = { baseSeconds: config.retryBaseSeconds, capSeconds: config.retryCapSeconds }
  const { retryBaseMinSeconds, attemptTimeoutMs, attemptTimeoutMaxMs } = config
  const timings = { retry, retryBaseMinSeconds, attemptTimeoutMs, attemptTimeoutMaxMs }
  const clocks = { ownClock: options.clock ?? systemClock, retentionDays, retry, leaseMs, log }
  const { clock, clockSkew, gate } = await openClocks(db, clocks)
  opened.use(clockSkew)
  const startedAtMs = clock.nowMs()
  const migration = await migrate(db)
  if (migration.applied.length > 0) log.info({ migrations: migration.applied }, 'migrated the schema')
  await ensurePartitions(db, clock.nowMs())
  const installation = await readInstallation(db)
  if (serves && config.shardKeys === null) refuseUnguardedShard(installation)

  // secrets
  const seal = await openSeal(db, { config, random, log })
  const adminToken = serves
    ? adminTokenFrom(config.dataDir, config.adminToken, random)
    : { token: null, path: null }

  // delivery
  statistics = opened.use(
    await openStatistics(db, error => log.error({ err: error }, 'Posthorn could not write statistics')),
  )
  const egressRules = {
    allowCidrs: config.egressAllow,
    denyCidrs: config.egressDeny,
    allowHttp: config.egressHttp,
    ports: config.egressPorts,
  }
  const egress = opened.use(
    openEgress({
      ...egressRules,
      verifiedHeader: headerNames(config.headerPrefix).verified,
      dnsServers: config.dnsServers,
      proxy: config.egressProxy && { ...config.egressProxy, checksAddresses: config.egressProxyChecks },
      source: config.egressSourceAddress,
      attemptTimeoutMs: config.attemptTimeoutMs,
      monotonicMs: () => clock.monotonicMs(),
    }),
  )
  const newId = createUuidV7(
    () => clock.nowMs(),
    length => random.bytes(length),
  )
  const delivery: DeliverySide = await openDeliverySide(opened, {
    config,
    role,
    databases,
    statistics,
    clock,
    random,
    clockSkew,
    seal,
    egress,
    newId,
    version,
    startedAtMs,
    timings,
    log,
    metrics: () => metrics,
    tracing: options.telemetry?.tracing ?? null,
  })
  const { dispatcher } = delivery
  const queue = openQueueReader(db, clock, config)
  const metrics: Metrics = createMetrics({ queue, dispatcher, egress, clockSkew, gate })

  // the context of verbs
  const listening = { port: config.port }
  const wake = new Wake(db, processId)
  const ctx: Ctx = {
    db,
    history,
    clock,
    random,
    seal,
    settings: {
      urlPolicy: createUrlPolicy(egressRules),
      disableAfterMs: config.disableAfterMs,
      retentionDays,
      statsDays: config.statsDays,
      drainPerSecond: config.drainPerSecond,
      timings,
      headerPrefix: config.headerPrefix,
      canSendMail: config.smtp !== null,
      noticesFrom: config.smtp === null ? null : config.noticesFrom,
      suspension: {
        bounceRate: config.suspendBounceRate,
        complaintRate: config.suspendComplaintRate,
        outcomesMin: config.suspendOutcomesMin,
      },
      thresholds: {
        bounce_rate: { warning: config.bounceRateWarning, risk: config.bounceRateRisk },
        complaint_rate: { warning: config.complaintRateWarning, risk: config.complaintRateRisk },
      },
    },
    outside: {
      probe: {
        post: async request => await egress.post(request),
        head: async request => await egress.head(request),
        get: async request => await egress.get(request),
        userAgent: `Posthorn/${version}`,
        timeoutMs: config.attemptTimeoutMs,
      },
      dns: openDns(config.dnsServers),
      returnPath: () => returnPathOf(config.returnPathDomain, ctx.outside.publicUrl()),
      publicUrl: () => config.publicUrl ?? listeningUrl(config.host, listening.port),
      wakeDispatchers: () => wake.send(),
    },
    actor: { kind: 'system', requestId: null },
  }

  // intake and API
  const intake = openIntake({
    hotDb,
    ctx,
    newId,
    delivery,
    statistics,
    sends,
    wake,
    metrics,
    store: options.store,
  })
  const { registry } = metrics
  const handover = sends
    ? openHandover({ config, db, ctx, gate, outcomes: intake, processId, registry, log })
    : null
  const noteReport = openReportNotes(db, clock)
  const app = openApi({
    config,
    db,
    ctx,
    adminToken: adminToken.token,
    intake,
    delivery,
    handover,
    metrics,
    noteReport,
    ownShard: new OwnShard(db, clock, installation.shard),
    queue,
    clockSkew,
    gate,
    member: options.member ?? null,
    telemetry: options.telemetry ?? null,
    version,
    startedAtMs,
    log,
  })

  // checks the clock before the service accepts or sends anything
  await gate.pass()
  // before the rest, so that its last export has the final counts and still reaches the database
  opened.use(options.telemetry?.exportMetrics(metrics.registry))
  if (sends) {
    // in parallel, because each may take the full drain time
    opened.defer(async () => {
      await Promise.all([dispatcher[Symbol.asyncDispose](), handover?.[Symbol.asyncDispose]()])
    })
    opened.use(
      await wake.listen(all => {
        dispatcher.wake(all)
        handover?.wake()
      }),
    )
    dispatcher.start()
    handover?.start()
  }
  opened.use(startMaintenance({ ctx, log, gate, embedded: db.kind === 'embedded', sends }))
  opened.defer(async () => await intake.drain())
  opened.defer(async () => await closeApp(app))
  if (serves) {
    const { mailIgnored } = metrics
    const { complaints } = config
    const mailCtx = { ...ctx, outcomes: intake, complaints, mailIgnored, noteReport }
    opened.use(await openSmtpPort(config, log, ownMail(mailCtx)))
  }
  await app.listen({ host: config.host, port: config.port })
  // with port 0, the actual port is known only now
  listening.port = (app.server.address() as AddressInfo).port
  await options.member?.ready(metrics.registry)

  const running = opened.move()
  const giveUp = (): void => {
    const { inFlight: in_flight, unsettled } = dispatcher.load
    log.error(
      { in_flight, unsettled },
      'draining took too long: check that the database accepts writes. Deliveries without a stored result are sent again when their lease ends',
    )
  }
  let draining: Promise<boolean> | undefined
  const drain = async (): Promise<boolean> => {
    draining ??= endsWithin(drainGivenUpAfterMs, running.disposeAsync(), giveUp)
    return await draining
  }
  return {
    url: listeningUrl(config.host, listening.port),
    adminTokenPath: adminToken.path,
    lost: lost.promise,
    drain,
    [Symbol.asyncDispose]: async () => {
      await drain()
    },
  }
}
