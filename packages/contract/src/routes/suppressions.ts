import * as z from 'zod'
import {
  suppression,
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
      'Returns the addresses that Posthorn sends no email to, and why, newest first. Without `state` the list has only active suppressions.',
    tag,
    auth: 'read',
    query: suppressionQuery,
    success: { status: 200, description: 'One page of suppressions.', schema: suppressionPage },
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
    body: json(suppressionCreate),
    success: { status: 201, description: 'The suppression.', schema: suppression },
  }),
  importSuppressions: route({
    operationId: 'importSuppressions',
    method: 'POST',
    path: '/v1/suppressions/import',
    summary: 'Suppress a list of addresses',
    description:
      'CSV (RFC 4180) in UTF-8. The first line names the columns: `address`, and if you like `reason` (`manual` when empty), `scope` (`all_mail` when empty) and `list`, in any order; others are ignored. Records that are wrong are rejected one by one and listed in the answer, the others are stored as they arrive. An address that is suppressed already stays as it is, so it is safe to send a file again.',
    tag,
    auth: 'send',
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
    summary: 'Get all addresses that are not written to',
    description:
      'CSV (RFC 4180) with the columns `address`, `reason`, `scope`, `list`, `created_at` and `lapses_at`, oldest first. Lifted and lapsed suppressions are left out, and so are those of erased people, whose address is gone.',
    tag,
    auth: 'read',
    success: { status: 200, description: 'The list.', mediaType: 'text/csv' },
  }),
  liftSuppression: route({
    operationId: 'liftSuppression',
    method: 'DELETE',
    path: '/v1/suppressions/{id}',
    summary: 'Lift a suppression',
    description:
      'Allows emails to the address again. The suppression stays in the list with the state `lifted`. Other suppressions of the address stay active. Lifting one twice changes nothing.',
    tag,
    auth: 'send',
    params: { id: 'sup' },
    success: { status: 204, description: 'The suppression is lifted.' },
  }),
} as const
