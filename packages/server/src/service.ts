import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { hostname } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import type { Maintenance } from '@posthorn/contract'
import type { Config } from './config.ts'
import type { Clock, Ctx, Random } from './context.ts'
import { adminTokenFrom } from './credentials.ts'
import { dashboardFolder } from './dashboard-folder.ts'
import { migrate } from './db/migrate.ts'
import { openDns } from './dns/open-dns.ts'
import { Dispatcher } from './dispatch/dispatcher.ts'
import { Wake } from './dispatch/wake.ts'
import { BulkPace } from './domain/bulk-pace.ts'
import { drainGivenUpAfterMs, requestsDrainMsMax } from './domain/drain-limits.ts'
import { roomsBeside } from './domain/rooms.ts'
import { createUrlPolicy } from './domain/url-policy.ts'
import { createUuidV7 } from './domain/uuid-v7.ts'
import { openEgress } from './egress/open-egress.ts'
import { doLater, endsWithin } from './ends-within.ts'
import { createApp } from './http/app.ts'
import { readDashboardFiles } from './http/dashboard-files.ts'
import type { Log } from './log.ts'
import { ensurePartitions } from './maintenance/ensure-partitions.ts'
import { freeOwnLeases } from './maintenance/free-own-leases.ts'
import { startMaintenance } from './maintenance-side.ts'
import { openHandover, openSmtpPort, returnPathOf } from './mail-side.ts'
import { createMetrics } from './metrics.ts'
import { openClocks } from './open-clocks.ts'
import { openDatabases } from './open-databases.ts'
import { openSeal } from './open-seal.ts'
import { accept } from './outcomes/accept.ts'
import { openOutcomes, type OutcomesDependencies } from './outcomes/accept-outcomes.ts'
import { checkReadiness } from './readiness.ts'
import { realClock, realRandom } from './real-world.ts'
import { countSettlements } from './count-settlements.ts'
import type { Member } from './processes/this-member.ts'
import { openStatistics } from './stats/open-statistics.ts'
import { enterSuppressions } from './suppressions/enter-suppressions.ts'
import type { Activity } from './system/activity.ts'
import { describeMaintenance } from './system/describe-maintenance.ts'
import { ProcessRegister } from './system/process-register.ts'
import { openQueueReader } from './system/queue-reader.ts'
import { readSystem } from './system/read-system.ts'
import { readSystemHealth } from './system/read-system-health.ts'
import { Throughput } from './system/throughput.ts'
import { packageVersion } from './version.ts'

/** A running Posthorn. Disposing it drains: it stops accepting, finishes what is under way, hands the rest back. */
export interface Service extends AsyncDisposable {
  /** Where it listens, with the port that was picked. */
  readonly url: string
  /** Where a generated operator token lies; null when it was configured. */
  readonly adminTokenPath: string | null
  /** Rejects when the database is lost for good and the process has to end. */
  readonly lost: Promise<never>
  /**
   * Drains, as disposing does, and answers whether all of it was done. If not, within 25 seconds, something is still open:
   * end the process. Results that were not written are lost, and their deliveries sent again when the leases end.
   */
  drain(): Promise<boolean>
}

/** What tests and benches put in the place of the real world, and whom this process shares the work with. */
export interface ServiceOptions {
  clock?: Clock
  random?: Random
  /** Instead of `accept`. */
  store?: OutcomesDependencies['store']
  member?: Member | null
}

/** The one place where everything is put together; nothing else sees all of it. */
export async function openService(config: Config, log: Log, options: ServiceOptions = {}): Promise<Service> {
  await using opened = new AsyncDisposableStack()
  const random = options.random ?? realRandom
  const processId = randomUUID()
  const version = packageVersion()
  const lost = Promise.withResolvers<never>()
  lost.promise.catch(() => {})

  const { db, hotDb, history } = await openDatabases(config, opened, {
    onLost: lost.reject,
    onTrouble: message => log.error(message),
  })
  const ownClock = options.clock ?? realClock
  const { retentionDays, leaseMs } = config
  const retry = { baseSeconds: config.retryBaseSeconds, capSeconds: config.retryCapSeconds }
  const { clock, clockSkew, gate } = await openClocks(db, { ownClock, retentionDays, retry, leaseMs, log })
  opened.use(clockSkew)
  const startedAtMs = clock.nowMs()

  const sends = config.role !== 'api'
  const serves = config.role !== 'dispatcher'

  const migration = await migrate(db)
  if (migration.applied.length > 0) log.info({ migrations: migration.applied }, 'migrated the schema')
  const seal = await openSeal(db, { config, random, log })
  const adminToken = serves
    ? adminTokenFrom(config.dataDir, config.adminToken, random)
    : { token: null, path: null }
  await ensurePartitions(db, clock.nowMs())
  if (db.kind === 'embedded') await freeOwnLeases(db)

  const egressRules = {
    allowCidrs: config.egressAllow,
    allowHttp: config.egressHttp,
    ports: config.egressPorts,
  }
  const egress = opened.use(
    openEgress({
      ...egressRules,
      dnsServers: config.dnsServers,
      attemptTimeoutMs: config.attemptTimeoutMs,
      monotonicMs: () => clock.monotonicMs(),
    }),
  )
  const newId = createUuidV7(
    () => clock.nowMs(),
    length => random.bytes(length),
  )
  const wake = new Wake(db, processId)

  const statistics = sends
    ? opened.use(
        await openStatistics(db, error => log.error({ err: error }, 'statistics could not be written')),
      )
    : undefined
  const pace = new BulkPace()
  const rest = async (ms: number): Promise<void> => {
    metrics.restedInBulk(ms)
    await wait(ms)
  }
  const dispatcher = new Dispatcher({
    db: hotDb,
    seal,
    egress,
    clock,
    random,
    newId,
    clockSkew,
    processId,
    userAgent: `Posthorn/${version}`,
    leaseMs,
    retry,
    drainPerSecond: config.drainPerSecond,
    inFlightMax: config.inFlightMax,
    inFlightPerEndpointMax: config.inFlightPerEndpointMax,
    pace,
    rest,
    processNumber: () => statistics?.processNumber ?? 0,
    olderLive: () => register.olderLive,
    observe: settlements => countSettlements({ metrics, throughput, statistics }, settlements, clock.nowMs()),
    onError: (what, error) => log.error({ err: error }, `dispatcher: ${what} failed`),
  })
  const throughput = new Throughput(() => clock.monotonicMs())
  const queue = openQueueReader(db, clock)
  const metrics = createMetrics({ queue, dispatcher, egress, pace, clock, clockSkew, gate })

  const listening = { port: config.port }
  const ctx: Ctx = {
    db,
    history,
    clock,
    random,
    seal,
    urlPolicy: createUrlPolicy(egressRules),
    disableAfterMs: config.disableAfterMs,
    retentionDays,
    drainPerSecond: config.drainPerSecond,
    probe: {
      post: async request => await egress.post(request),
      head: async request => await egress.head(request),
      userAgent: `Posthorn/${version}`,
      timeoutMs: config.attemptTimeoutMs,
    },
    dns: openDns(config.dnsServers),
    returnPath: () => returnPathOf(config.returnPathDomain, ctx.publicUrl()),
    canSendMail: config.smtp !== null,
    noticesFrom: config.smtp === null ? null : config.noticesFrom,
    publicUrl: () => config.publicUrl ?? listeningUrl(config.host, listening),
    actor: { kind: 'system', requestId: null },
    wakeDispatchers: () => wake.send(),
  }
  const outcomes = openOutcomes({
    db: hotDb,
    kept: hotDb.keptConnection(),
    clock,
    pace,
    rest,
    newId,
    roomForBulk: async accountIds => {
      if (sends) await dispatcher.roomForBulk(accountIds)
    },
    mayPause: db.kind === 'server',
    store:
      options.store ??
      (async (queryable, events, inBulk, taken) =>
        await accept(queryable, events, {
          rooms: roomsBeside(dispatcher.rooms(inBulk), taken),
          processId: sends ? processId : null,
          leaseMs: config.leaseMs,
          monotonicMs: () => clock.monotonicMs(),
        })),
    suppress: async (tx, entries) => await enterSuppressions({ ...ctx, db: tx }, entries),
    afterCommit: accepted => {
      const events = accepted.duplicateOf.filter(first => first === null).length
      metrics.accepted(events)
      throughput.count('accepted', events)
      if (sends) dispatcher.take(accepted.taken, accepted.left)
      if (accepted.left.length > 0) wake.sendToOthers()
    },
  })
  const maintenance = async (): Promise<Maintenance> => describeMaintenance(await gate.look())
  const activity = (): Activity => {
    const { queued: held, ...load } = dispatcher.load
    return { ...load, held, perSecond: throughput.perSecond() }
  }
  const register = opened.use(
    await ProcessRegister.open({
      db,
      process: { id: processId, host: hostname(), role: config.role, version, startedAtMs },
      alone: db.kind === 'embedded',
      activity,
      everyMs: sayAliveEveryMs,
      onError: error => log.error({ err: error }, 'this process could not say that it lives'),
    }),
  )
  const app = createApp({
    ctx,
    operatorToken: adminToken.token,
    rateLimitPerSecond: config.apiRateLimit,
    intake: outcomes,
    complaints: config.complaints,
    dashboard: serves ? readDashboardFiles(dashboardFolder()) : null,
    log,
    wait,
    version,
    readiness: async () => await checkReadiness(db, clockSkew),
    metricsText: async () => (await options.member?.metricsOfAll()) ?? (await metrics.text()),
    system: async () =>
      await readSystem(db, {
        version,
        nodeVersion: process.versions.node,
        startedAtMs,
        retentionDays,
        settings: config.inForce,
        maintenance: await maintenance(),
      }),
    systemHealth: async () =>
      await readSystemHealth({ db, clock, queue, processId, activity, clockSkew, maintenance }),
    dump: db.dump,
  })

  // before anything is served or sent, so that nothing expires by a clock that nobody has judged
  await gate.pass()
  if (sends) {
    const { registry } = metrics
    const handover = openHandover({ config, db, ctx, gate, outcomes, processId, registry, log })
    // side by side, because each has the whole time of a drain
    opened.defer(async () => {
      await Promise.all([dispatcher[Symbol.asyncDispose](), handover?.[Symbol.asyncDispose]()])
    })
    opened.use(
      await wake.listen(() => {
        dispatcher.wake()
        handover?.wake()
      }),
    )
    dispatcher.start()
    handover?.start()
  }
  opened.use(startMaintenance({ ctx, log, gate, embedded: db.kind === 'embedded', sends, pace }))
  opened.defer(async () => await outcomes.drain())
  opened.defer(async () => {
    using _ = doLater(requestsDrainMsMax, () => app.server.closeAllConnections())
    await app.close()
  })
  if (serves) opened.use(await openSmtpPort(config, { ctx, outcomes, log }))
  await app.listen({ host: config.host, port: config.port })
  // with port 0 only now is it known
  listening.port = (app.server.address() as AddressInfo).port
  await options.member?.ready(metrics.registry)

  const running = opened.move()
  const giveUp = (): void => {
    const { inFlight: in_flight, unsettled } = dispatcher.load
    log.error(
      { in_flight, unsettled },
      'the drain is given up: does the database take writes? What was not written is sent again when its lease ends',
    )
  }
  let draining: Promise<boolean> | undefined
  const drain = async (): Promise<boolean> => {
    draining ??= endsWithin(drainGivenUpAfterMs, running.disposeAsync(), giveUp)
    return await draining
  }
  return {
    url: listeningUrl(config.host, listening),
    adminTokenPath: adminToken.path,
    lost: lost.promise,
    drain,
    [Symbol.asyncDispose]: async () => {
      await drain()
    },
  }
}

const sayAliveEveryMs = 5_000

function listeningUrl(host: string, { port }: { port: number }): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
