import type { Maintenance } from '@posthorn/contract'
import type { FastifyInstance } from 'fastify'
import { setTimeout as wait } from 'node:timers/promises'
import { type Config, oidcSettingsOf, operatorProxiesOf } from './config.ts'
import type { Ctx } from './context.ts'
import { dashboardFolder } from './dashboard-folder.ts'
import type { Database } from './db/database.ts'
import type { DeliverySide } from './delivery-side.ts'
import type { ClockSkew } from './clock-skew.ts'
import { createApp } from './http/app.ts'
import { readDashboardFiles } from './http/dashboard-files.ts'
import type { OwnShard } from './directory/own-shard.ts'
import type { Log } from './log.ts'
import type { MaintenanceGate } from './maintenance/maintenance-gate.ts'
import type { Metrics } from './metrics.ts'
import type { Intake } from './outcomes/intake.ts'
import type { Member } from './processes/this-member.ts'
import { openOidc } from './oidc/open-oidc.ts'
import { checkReadiness } from './readiness.ts'
import { ownMail } from './smtp-port/own-mail.ts'
import type { NoteReport } from './sources/mail-sources.ts'
import { describeMaintenance } from './system/describe-maintenance.ts'
import type { QueueReader } from './system/queue-reader.ts'
import { readSystem } from './system/read-system.ts'
import type { Handover } from './handover/handover.ts'
import { readWaitingMail } from './handover/read-waiting-mail.ts'
import type { Telemetry } from './telemetry/telemetry.ts'
import { readSystemHealth } from './system/read-system-health.ts'

export interface ApiSideOptions {
  config: Config
  db: Database
  ctx: Ctx
  /** Null in a process that only sends, which serves only health and metrics. */
  adminToken: string | null
  intake: Intake
  delivery: DeliverySide
  /** Null in a process that hands no email to the mail server. */
  handover: Pick<Handover, 'certificateExpiresAtMs'> | null
  metrics: Metrics
  noteReport: NoteReport
  ownShard: OwnShard
  queue: QueueReader
  clockSkew: ClockSkew
  gate: MaintenanceGate
  member: Member | null
  telemetry: Telemetry | null
  version: string
  startedAtMs: number
  log: Log
}

/** Creates the HTTP side. It does not listen yet. */
export function openApi(options: ApiSideOptions): FastifyInstance {
  const { config, db, ctx, adminToken, intake, delivery, metrics, queue, clockSkew, gate, member } = options
  const { handover, ownShard, version, startedAtMs, noteReport, log } = options
  const { complaints } = config
  const { mailIgnored } = metrics
  const maintenance = async (): Promise<Maintenance> => describeMaintenance(await gate.look())
  const oidc = oidcSettingsOf(config)
  return createApp({
    ctx,
    operatorToken: adminToken,
    operatorProxies: operatorProxiesOf(config),
    oidc: oidc && openOidc(oidc),
    rateLimitPerSecond: config.apiRateLimit,
    intake,
    complaints,
    mailIgnored,
    noteReport,
    beginSpan: options.telemetry?.tracing?.beginRequest ?? null,
    shard: config.shardKeys && {
      door: { keys: config.shardKeys, clock: ctx.clock, shardNumber: () => ownShard.number() },
      lookAgain: async () => await ownShard.lookAgain(),
      mail:
        config.returnPathDomain === null
          ? null
          : ownMail({ ...ctx, outcomes: intake, complaints, mailIgnored, noteReport }),
    },
    dashboard: config.role === 'dispatcher' ? null : readDashboardFiles(dashboardFolder()),
    log,
    wait,
    version,
    readiness: async () => await checkReadiness(db, clockSkew),
    metricsText: async () => (await member?.metricsOfAll()) ?? (await metrics.text()),
    system: async () =>
      await readSystem(db, {
        version,
        nodeVersion: process.versions.node,
        startedAtMs,
        retentionDays: config.retentionDays,
        settings: config.inForce,
        maintenance: await maintenance(),
      }),
    systemHealth: async () =>
      await readSystemHealth({
        db,
        clock: ctx.clock,
        queue,
        waitingMail: async () => await readWaitingMail(db, ctx.clock.nowMs()),
        mailCertificateExpiresAtMs: () => handover?.certificateExpiresAtMs ?? null,
        processNumber: delivery.number,
        activity: delivery.activity,
        clockSkew,
        maintenance,
      }),
    dump: db.dump,
  })
}
