import { type MailSourceKind, type PostfixRecord, routes } from '@posthorn/contract'
import type { FastifyRequest } from 'fastify'
import { parseTypeId, typeId } from '../domain/type-id.ts'
import { AppError, type FieldError } from '../errors.ts'
import { inSlices } from '../outcomes/in-slices.ts'
import { fromKumomta } from '../sources/from-kumomta.ts'
import { fromPostfix } from '../sources/from-postfix.ts'
import type { Translated } from '../sources/source-report.ts'
import { accountOf, type Caller } from './caller.ts'
import { check, fieldErrorsMax, validationFailed } from './field-errors.ts'
import { tooManyElements } from './json-elements.ts'
import { itemsMax, readReport } from './read-report.ts'
import {
  bodyText,
  checkMediaType,
  errorsOf,
  idempotencyKeyErrors,
  mediaTypeOf,
  readInput,
  readQuery,
} from './read-request.ts'

/** A report of a mail server. */
export interface SourceItems {
  /** Who reported. */
  readonly kinds: ReadonlySet<MailSourceKind>
  readonly items: readonly unknown[]
  /** The reports in all items, in their order. */
  readonly translated: readonly Translated[]
}

/**
 * Reads and translates a report of Postfix.
 * @throws AppError `validation_failed`, `account_mismatch`
 */
export function readPostfix(request: FastifyRequest, caller: Caller): SourceItems {
  const { records } = readInput(routes.reportPostfix, request).body as { records: PostfixRecord[] }
  const own = accountOf(caller)
  const translated = records.map((record, index) => {
    checkAccount(own, record.account_id)
    return { index, report: fromPostfix(record, own) }
  })
  const kinds = new Set(records.map(({ source }) => source ?? 'postfix'))
  return { kinds, items: records, translated }
}

/**
 * Reads and translates a report of KumoMTA.
 * @throws AppError `validation_failed`, `account_mismatch`, `batch_too_large`
 */
export async function readKumomta(request: FastifyRequest, caller: Caller): Promise<SourceItems> {
  const route = routes.reportKumomta
  checkMediaType(request, route.body.mediaTypes)
  const { items, isList } = await readReport(bodyText(request), {
    isLines: mediaTypeOf(request) === 'application/x-ndjson',
    isForgiving: true,
  })
  const query = readQuery(route, request)
  const errors = [...errorsOf(query), ...idempotencyKeyErrors(route, request)]
  await inSlices(items, (item, index) => {
    if (errors.length >= fieldErrorsMax) return
    for (const error of whatIsWrong(item, isList ? [index] : [])) errors.push(error)
  })
  if ('errors' in query || errors.length > 0) throw validationFailed(errors)
  const { account_id: named, email_id: by } = query.data as { account_id?: string; email_id?: 'message_id' }
  const own = accountOf(caller)
  checkAccount(own, named)
  const names = { accountId: own ?? parseTypeId('acct', named ?? ''), byMessageId: by === 'message_id' }
  const translated: Translated[] = []
  await inSlices(items, (item, index) => {
    // a record may name a thousand recipients
    if (translated.length > itemsMax) return
    for (const report of fromKumomta(item, index, names)) translated.push(report)
  })
  if (translated.length > itemsMax) throw tooManyElements(itemsMax)
  return { kinds: new Set(['kumomta'] as const), items, translated }
}

/** Refuses only items that cannot come from KumoMTA. */
function whatIsWrong(item: unknown, at: readonly PropertyKey[]): FieldError[] {
  return errorsOf(check(routes.reportKumomta.body.lineSchema, item, at))
}

function checkAccount(own: string | null, named: string | undefined): void {
  if (own === null || named === undefined || named === typeId('acct', own)) return
  throw new AppError('account_mismatch', 'An API key can report only for its own account. Omit account_id.')
}
