import { errorCodes, type ProviderKind, providerKinds, type SourceAccepted } from '@posthorn/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Ctx } from '../context.ts'
import { countEach } from '../domain/count-each.ts'
import { typeId } from '../domain/type-id.ts'
import { AppError } from '../errors.ts'
import type { OutcomeIntake } from '../outcomes/intake.ts'
import { findProviderSource, type FoundProviderSource } from '../providers/find-provider-source.ts'
import type { ProviderRequest } from '../providers/provider.ts'
import { openProviderReader } from '../providers/provider-reader.ts'
import { providers } from '../providers/providers.ts'
import { SourceCounts } from '../providers/source-counts.ts'
import { answerOf, judgeReports } from '../sources/judge-reports.ts'
import { reportedBy, withoutComplaint } from '../sources/source-report.ts'
import { jsonElements } from './json-elements.ts'
import { isProxied } from './own-address.ts'
import { readForm } from './read-form.ts'
import { type JsonOptions, readJson } from './read-json.ts'
import { rawBody } from './read-request.ts'
import { itemsMax } from './read-report.ts'
import { WrongSecretLimit } from './wrong-secret-limit.ts'

export interface ProviderOptions {
  readonly ctx: Ctx
  readonly intake: OutcomeIntake
  /** Whether a spam complaint suppresses the recipient. */
  readonly complaints: boolean
  readonly log: { error(fields: object, message: string): void; warn(fields: object, message: string): void }
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set before the body of a provider's request is read. */
    source: FoundProviderSource | null
  }
}

/** The URLs at which providers report. */
export const providerUrls = Object.keys(providerKinds).map(
  kind => [kind as ProviderKind, `/v1/sources/${kind}`] as const,
)

/** More than a provider sends at once. Postmark can add the whole email to a bounce, and that has at most 10 MB. */
const bodyBytesMax = { all: 1024 * 1024, postmark: 11 * 1024 * 1024 }

/**
 * Serves the webhooks of mail providers. The token in the URL names the source, and the provider's signature must match the
 * key of the source. The answer is 200 after the commit: some providers accept no other success.
 */
export function serveProviders(app: FastifyInstance, options: ProviderOptions): void {
  const { ctx, log } = options
  const counts = new SourceCounts(ctx.db, error =>
    log.error({ err: error }, 'Posthorn could not count the reports of a mail provider'),
  )
  const reader = openProviderReader(ctx)
  const limit = new WrongSecretLimit(wrongPerMinute, ctx.clock)
  app.decorateRequest('source', null)
  app.addHook('onClose', async () => await counts.drain())
  for (const [kind, url] of providerUrls) {
    app.route({
      method: 'POST',
      url,
      bodyLimit: kind === 'postmark' ? bodyBytesMax.postmark : bodyBytesMax.all,
      onRequest: async request => {
        const { token } = request.query as { token?: unknown }
        request.source = await limit.attempt(
          request,
          isProxied(ctx.outside.publicUrl()),
          async () => await findProviderSource(ctx, kind, token),
        )
      },
      handler: async (request, reply) => {
        const { source } = request
        if (source === null) throw new AppError('unauthorized', 'The URL needs a token.')
        const answer = await limit.attempt(
          request,
          isProxied(ctx.outside.publicUrl()),
          async () => await takeReport(options, source, request, { counts, reader }),
        )
        await reply.code(200).header('cache-control', 'no-store').send(answer)
      },
    })
  }
}

/** Wrong tokens and signatures from one address. A provider with a wrong key sends again after the limit. */
const wrongPerMinute = 120

/** What all requests share. */
interface Shared {
  readonly counts: SourceCounts
  readonly reader: ReturnType<typeof openProviderReader>
}

async function takeReport(
  { ctx, intake, complaints, log }: ProviderOptions,
  source: FoundProviderSource,
  request: FastifyRequest,
  { counts, reader }: Shared,
): Promise<SourceAccepted> {
  const { verify, translate } = providers[source.kind]
  let payload: unknown
  try {
    payload = await verify(asProviderRequest(request), source.key, { ...reader, nowMs: ctx.clock.nowMs() })
  } catch (error) {
    if (error instanceof AppError && errorCodes[error.code] < 500) counts.add(source, { refused: 1 })
    throw error
  }
  const all = translate(payload, source.accountId).map(one => reportedBy(one, providerKinds[source.kind]))
  const translated = complaints ? all : all.map(withoutComplaint)
  const whole: SourceAccepted = { accepted: 0, events: [], ignored: [] }
  // the provider sends all of it again if a part fails, and what was stored is a duplicate then
  for (let start = 0; start < translated.length; start += itemsMax) {
    const judged = await judgeReports(ctx, translated.slice(start, start + itemsMax), source.accountId)
    const none = { events: [], ignored: [] }
    const stored = judged.outcomes.length === 0 ? none : await intake.group(judged.outcomes)
    const { events, ignored } = answerOf(judged, stored)
    whole.accepted += events.length
    whole.events.push(...events)
    whole.ignored.push(...ignored)
  }
  counts.add(source, { events: whole.accepted, ignored: whole.ignored.length })
  if (whole.ignored.some(({ reason }) => reason === 'malformed')) {
    const ignored = Object.fromEntries(countEach(whole.ignored.map(({ reason }) => reason)))
    const named = { source_id: typeId('src', source.id), kind: source.kind }
    log.warn({ ...named, ignored }, 'Posthorn cannot read a report of a mail provider and ignored it')
  }
  return whole
}

/** SendGrid sends a few thousand events at once. */
const elementsMax = 10_000
const jsonOptions: JsonOptions = { complaint: 'The report is not valid JSON.', isForgiving: true }

/** Bytes that are not UTF-8 become U+FFFD, so that one bad text does not refuse the reports next to it. */
function textOf(request: FastifyRequest): string {
  return rawBody(request).toString()
}

/** What a provider sent, before its signature is checked. */
export function asProviderRequest(request: FastifyRequest): ProviderRequest {
  const { headers, contentType = '' } = request
  return {
    header: name => (name === 'content-type' ? contentType : [headers[name] ?? ''].flat().join(', ')),
    body: rawBody(request),
    json: (text = textOf(request)) => readJson(text, jsonOptions),
    list: async () => await jsonElements(textOf(request), elementsMax, jsonOptions),
    form: async () => {
      const form = await readForm(request)
      if (form === null) return null
      // PostgreSQL cannot store NUL
      const texts = [...form].map(([name, value]) => [name, typeof value === 'string' ? value : ''] as const)
      return new Map(texts.map(([name, text]) => [name, text.replaceAll('\0', '')]))
    },
  }
}
