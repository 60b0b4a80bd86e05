import type { Problem } from '@posthorn/contract'
import { AppError } from '../errors.ts'

/** The error if a shard does not store its part of a report. */
export function partFailed(shard: number, { isRepeatable }: { readonly isRepeatable: boolean }): AppError {
  const repeat = isRepeatable
    ? 'Repeat the whole report after the number of seconds in Retry-After: Posthorn ignores the outcomes that are stored already.'
    : 'Without outcome_id, Posthorn cannot recognize a repeated outcome, so a repeat stores some outcomes twice. Compare the events before you repeat the report.'
  return new AppError(
    'shard_unavailable',
    `Shard ${shard} of this installation does not respond. The other parts of this report may be stored. ${repeat}`,
  )
}

/** What a shard refuses its part with, with the positions in the whole report. */
export function withPlacesOfPart(
  { code, detail, errors = [] }: Problem,
  places: readonly number[],
): AppError {
  const inReport = errors.map(({ path, message }) => ({
    path: path.replace(
      /^(\/records)?\/(\d+)(?=\/|$)/,
      (_, list: string | undefined, index: string) => `${list ?? ''}/${places[Number(index)] ?? index}`,
    ),
    message,
  }))
  const [only] = inReport
  const isPlaced = inReport.length === 1 && only !== undefined
  return new AppError(code, isPlaced ? `${only.path}: ${only.message}.` : detail, inReport)
}
