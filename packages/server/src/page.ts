import type { Page } from '@posthorn/contract'
import { decodeCursor, encodeCursor } from './domain/cursor.ts'
import { AppError } from './errors.ts'

/** Which part of a list is asked for. `cursor` is the opaque text of the page before. */
export interface PageInput {
  limit: number
  cursor?: string | undefined
}

/**
 * Makes a page of rows that were read with `limit + 1`: the one too many only says that there is a next page. The
 * cursor is the position of the last row shown, so pages stay stable while rows are added.
 */
export function toPage<Row, Item>(
  rows: readonly Row[],
  limit: number,
  positionOf: (row: Row) => string | number,
  toItem: (row: Row) => Item,
): Page<Item> {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const more = rows.length > limit && last !== undefined
  return {
    data: shown.map(toItem),
    next_cursor: more ? encodeCursor([String(positionOf(last))]) : null,
  }
}

/** The id at which a page begins, or null for the first page. */
export function idCursor(cursor: string | undefined): string | null {
  return readCursor(cursor, /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/)
}

/** The sequence number at which a page begins, or null for the first page. */
export function sequenceCursor(cursor: string | undefined): number | null {
  const text = readCursor(cursor, /^[0-9]{1,15}$/)
  return text === null ? null : Number(text)
}

function readCursor(cursor: string | undefined, form: RegExp): string | null {
  if (cursor === undefined) return null
  const [position, ...rest] = decodeCursor(cursor) ?? []
  if (position === undefined || rest.length > 0 || !form.test(position)) {
    const message = 'Use the next_cursor of the page before, of the same list.'
    throw new AppError('validation_failed', `The cursor cannot be read. ${message}`, [
      { path: '/cursor', message },
    ])
  }
  return position
}
