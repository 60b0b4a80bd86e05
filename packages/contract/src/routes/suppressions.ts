import * as z from 'zod'
import {
  suppression,
  suppressionCounts,
  suppressionCreate,
  suppressionImport,
  suppressionPage,
  suppressionQuery,
} from '../resources/suppression.ts'
import { json, route } from '../route.ts'

const tag = 'Suppressions'

export const suppressionRoutes = {
  listSuppressions: route({
    operationId: 'listSuppressions',
    method: 'GET',
    path: '/v1/suppressions',
    summary: 'List suppressions',
    description:
      'Returns the addresses that Posthorn sends no email to, and why, newest first. Without `state`, the list has only active suppressions.',
    tag,
    auth: 'read',
    front: 'caller',
    query: suppressionQuery,
    success: { status: 200, description: 'One page of suppressions.', schema: suppressionPage },
  }),
  countSuppressions: route({
    operationId: 'countSuppressions',
    method: 'GET',
    path: '/v1/suppressions/counts',
    summary: 'Count suppressions',
    description:
      'Returns how many suppressions are active, by reason. Each count ends at 1,000, so that the answer is fast for accounts with millions of suppressions.',
    tag,
    auth: 'read',
    front: 'caller',
    success: { status: 200, description: 'The counts.', schema: suppressionCounts },
  }),
  createSuppression: route({
    operationId: 'createSuppression',
    method: 'POST',
    path: '/v1/suppressions',
    summary: 'Suppress an address',
    description:
      'Stops emails to an address: all emails, or one list. If the address already has an active manual suppression with the same scope, Posthorn returns that one.',
    tag,
    auth: 'send',
    front: 'caller',
    body: json(suppressionCreate),
    success: { status: 201, description: 'The suppression.', schema: suppression },
  }),
  importSuppressions: route({
    operationId: 'importSuppressions',
    method: 'POST',
    path: '/v1/suppressions/import',
    summary: 'Import suppressions',
    description:
      'Imports a CSV file (RFC 4180) in UTF-8. The first line names the columns in any order. `address` is required. `reason` (default `manual`), `scope` (default `all_mail`) and `list` are optional. Posthorn ignores other columns. It rejects each invalid record and lists it in the response, and it stores the other records as they arrive. Existing suppressions do not change, so you can safely send a file again. Recipients can no longer undo unsubscriptions that the file confirms.',
    tag,
    auth: 'send',
    front: 'caller',
    body: {
      schema: z.string().meta({ examples: ['address,scope,list\r\nann@example.org,list,news\r\n'] }),
      mediaTypes: ['text/csv'],
      bytesMax: 32 * 1024 * 1024,
      isStream: true,
    },
    success: { status: 200, description: 'The result of the import.', schema: suppressionImport },
  }),
  exportSuppressions: route({
    operationId: 'exportSuppressions',
    method: 'GET',
    path: '/v1/suppressions/export',
    summary: 'Export suppressions',
    description:
      'Returns all active suppressions as CSV (RFC 4180), oldest first. The columns are `address`, `reason`, `scope`, `list`, `created_at` and `lapses_at`. Text that a spreadsheet would run as a formula gets an apostrophe in front, which an import removes. Suppressions of erased recipients are not included, because Posthorn no longer has the address.',
    tag,
    auth: 'read',
    front: 'caller',
    success: { status: 200, description: 'The suppressions as CSV.', mediaType: 'text/csv' },
  }),
  liftSuppression: route({
    operationId: 'liftSuppression',
    method: 'DELETE',
    path: '/v1/suppressions/{id}',
    summary: 'Lift a suppression',
    description:
      'Allows emails to the address again. The suppression stays in the list with the state `lifted`. Other suppressions of the address stay active. If the suppression is already lifted, nothing changes.',
    tag,
    auth: 'send',
    front: 'caller',
    params: { id: 'sup' },
    success: { status: 204, description: 'The suppression is lifted.' },
  }),
} as const
