import type { Suppression } from '@posthorn/contract'
import { type Rows, useRows } from '../../api/use-rows.ts'
import type { SuppressionFilters } from '../../app/suppression-filters.ts'

/** Suppressions that match these filters, newest first and live; by default those in force. */
export function useSuppressionRows(
  { state, reason }: SuppressionFilters,
  address: string | null,
): Rows<Suppression> {
  const query = { state, reason, address: address ?? undefined }
  return useRows({
    key: ['suppressions', 'list', query],
    load: async (call, page, signal) =>
      await call('listSuppressions', { query: { ...query, ...page }, signal }),
    idOf,
    everyMs: 15_000,
  })
}

function idOf({ id }: Suppression): string {
  return id
}
