import {
  decidedOutcome,
  type DecidedOutcomeInput,
  type OutcomesAccepted,
  rawOutcome,
  type RawOutcomeInput,
  surely,
} from '@posthorn/contract'
import { type DecidedOutcome, fillOutcome } from '../domain/decided-outcome.ts'
import { parseTypeId, typeId } from '../domain/type-id.ts'
import { AppError, type FieldError } from '../errors.ts'
import { inSlices } from '../outcomes/in-slices.ts'
import { judgeRawOutcome } from '../sources/judge-raw-outcome.ts'
import { accountOf, type Caller } from './caller.ts'
import { check, fieldErrorsMax, jsonPointer, validationFailed } from './field-errors.ts'
import type { Report } from './read-report.ts'

/** The result of parsing a report. */
export interface Decided {
  readonly outcomes: readonly DecidedOutcome[]
  /** The position of each outcome in the report. */
  readonly places: readonly number[]
  /** Raw items that are not outcomes, or not final yet. */
  readonly ignored: OutcomesAccepted['ignored']
  /** The accounts of ignored items and of deferrals. Storing would check them, but these may not be stored. */
  readonly ignoredAccounts: ReadonlyArray<{ readonly index: number; readonly accountId: string }>
}

/**
 * Validates each item, fills in defaults, and classifies raw items. One invalid item refuses the whole report.
 *
 * @param arrivedAt the time of the report, for items without `occurred_at`
 */
export async function decideOutcomes(
  { items, isList }: Report,
  caller: Caller,
  arrivedAt: string,
): Promise<Decided> {
  const own = accountOf(caller)
  if (own !== null) refuseOtherAccounts(items, typeId('acct', own))
  const errors: FieldError[] = []
  const outcomes: DecidedOutcome[] = []
  const places: number[] = []
  const ignored: OutcomesAccepted['ignored'] = []
  const ignoredAccounts: Array<{ index: number; accountId: string }> = []
  await inSlices(items, (item, index) => {
    if (errors.length >= fieldErrorsMax) return
    const at = isList ? [index] : []
    const found = checkItem(item, caller, at)
    if (Array.isArray(found)) {
      for (const error of found) errors.push(error)
      return
    }
    const accountId = own ?? namedAccount(found)
    const outcome =
      'type' in found ? toOutcome(found, accountId, arrivedAt) : judgeRawOutcome(found, accountId, arrivedAt)
    if (typeof outcome === 'string') {
      ignored.push({ index, reason: outcome })
      ignoredAccounts.push({ index, accountId })
      return
    }
    // stored only if an endpoint gets it, so that storing does not check its account
    if (outcome.type === 'email.deferred') ignoredAccounts.push({ index, accountId })
    outcomes.push(outcome)
    places.push(index)
  })
  if (errors.length === 0) return { outcomes, places, ignored, ignoredAccounts }
  throw validationFailed(errors)
}

/** Runs before validation, because access checks come first. */
function refuseOtherAccounts(items: readonly unknown[], own: string): void {
  for (const item of items) {
    const named = isObject(item) ? item.account_id : undefined
    if (typeof named !== 'string' || named === own) continue
    throw new AppError('account_mismatch', 'An API key can report only for its own account. Omit account_id.')
  }
}

function checkItem(
  item: unknown,
  caller: Caller,
  at: readonly number[],
): DecidedOutcomeInput | RawOutcomeInput | FieldError[] {
  if (isObject(item) && item.type === undefined && item.data !== undefined) {
    return [{ path: jsonPointer([...at, 'type']), message: 'is required if data is present' }]
  }
  const checked = readItem(item, at)
  if (Array.isArray(checked)) return checked
  if (caller.kind === 'operator' && checked.account_id === undefined) {
    return [{ path: jsonPointer([...at, 'account_id']), message: 'is required for the operator' }]
  }
  return checked
}

const isSurelyDecided = surely(decidedOutcome)

function readItem(
  item: unknown,
  at: readonly number[],
): DecidedOutcomeInput | RawOutcomeInput | FieldError[] {
  if (isSurelyDecided(item)) return item
  const checked = isRaw(item) ? check(rawOutcome, item, at) : check(decidedOutcome, item, at)
  return 'errors' in checked ? checked.errors : checked.data
}

/** An item without a type is raw, and Posthorn decides its type. */
function isRaw(item: unknown): boolean {
  return isObject(item) && item.type === undefined
}

function namedAccount({ account_id: named }: { account_id?: string | undefined }): string {
  return parseTypeId('acct', named ?? '') ?? ''
}

function toOutcome(checked: DecidedOutcomeInput, accountId: string, arrivedAt: string): DecidedOutcome {
  return {
    accountId,
    type: checked.type,
    data: fillOutcome(checked.type, checked.data, checked.occurred_at ?? arrivedAt),
    outcomeId: checked.outcome_id ?? null,
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
