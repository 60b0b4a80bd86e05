import type { Registry } from 'prom-client'
import type { Config } from './config.ts'
import type { Ctx } from './context.ts'
import type { Database } from './db/database.ts'
import { Handover } from './handover/handover.ts'
import { createHandoverMetrics } from './handover/handover-metrics.ts'
import { prepareHandover } from './handover/prepare.ts'
import { openSubmitter } from './handover/submit.ts'
import type { ReturnPath } from './domain/domain-records.ts'
import type { Log } from './log.ts'
import type { MaintenanceGate } from './maintenance/maintenance-gate.ts'
import type { Intake } from './outcomes/intake.ts'

export interface MailSideOptions {
  config: Pick<Config, 'smtp' | 'smtpFinalHop' | 'leaseMs'>
  db: Database
  ctx: Ctx
  gate: Pick<MaintenanceGate, 'pass'>
  outcomes: Intake
  processId: string
  registry: Registry
  log: Log
}

/** How many emails a process offers to the mail server at once. */
const inFlightMax = 8
const retryBaseMs = 5_000

/** Creates the handover of emails to the mail server; null if none is configured. */
export function openHandover(options: MailSideOptions): Handover | null {
  const { config, db, ctx, gate, outcomes, processId, registry, log } = options
  if (config.smtp === null) return null
  const submitter = openSubmitter(config.smtp, inFlightMax)
  const handover: Handover = new Handover({
    db,
    clock: ctx.clock,
    random: ctx.random,
    processId,
    leaseMs: config.leaseMs,
    inFlightMax,
    rules: { isFinalHop: config.smtpFinalHop, hasLogin: config.smtp.login !== null, retryBaseMs },
    submitter,
    prepare: async one => await prepareHandover(ctx, one),
    passGate: async () => await gate.pass(),
    store: async (tx, outcome) => (await outcomes.within(tx, [outcome])).afterCommit,
    observe: createHandoverMetrics(registry, {
      db,
      inFlight: () => handover.inFlight,
      certificateExpiresAtMs: () => handover.certificateExpiresAtMs,
    }),
    onError: (what, error) => log.error({ err: error }, `hand-over: ${what} failed`),
    onUnreachable: submission =>
      log.warn(
        { stage: 'stage' in submission ? submission.stage : undefined, reply: submission.reply },
        submission.kind === 'refused'
          ? 'the mail server refuses our mail, so it waits: check the login in POSTHORN_SMTP_URL, and that the server relays mail for it'
          : 'the mail server accepts no mail, so it waits: check POSTHORN_SMTP_URL and the server',
      ),
    onReachable: () => log.info({}, 'the mail server accepts mail again'),
  })
  return handover
}

/** The return path for bounces: the configured domain, at the host that customers see. */
export function returnPathOf(domain: string | null, publicUrl: string): ReturnPath | null {
  return domain === null ? null : { domain, host: new URL(publicUrl).hostname }
}
