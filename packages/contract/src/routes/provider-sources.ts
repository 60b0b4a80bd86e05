import { pageQuery } from '../page.ts'
import {
  providerSourceCreate,
  providerSourceCreated,
  providerSourcePage,
} from '../resources/provider-source.ts'
import { json, route } from '../route.ts'

const tag = 'Sources'

export const providerSourceRoutes = {
  createProviderSource: route({
    operationId: 'createProviderSource',
    method: 'POST',
    path: '/v1/accounts/{id}/sources',
    summary: 'Connect a mail provider',
    description:
      'Creates a URL at which a mail provider reports outcomes for one account. Save `report_url` now and enter it as a webhook at the provider: Posthorn shows it only in this response. Posthorn accepts a report only if it has the token in the URL and the provider’s valid signature.',
    tag,
    auth: 'operator',
    role: 'change',
    front: 'account_in_path',
    params: { id: 'acct' },
    body: json(providerSourceCreate),
    success: {
      status: 201,
      description: 'The new source, with `report_url`.',
      schema: providerSourceCreated,
    },
  }),
  listProviderSources: route({
    operationId: 'listProviderSources',
    method: 'GET',
    path: '/v1/accounts/{id}/sources',
    summary: 'List the mail providers of an account',
    description:
      'Returns the mail providers that report for one account, newest first, with the time of the last report. URLs and keys are not included.',
    tag,
    auth: 'operator',
    role: 'view',
    front: 'account_in_path',
    params: { id: 'acct' },
    query: pageQuery,
    success: { status: 200, description: 'One page of sources.', schema: providerSourcePage },
  }),
  deleteProviderSource: route({
    operationId: 'deleteProviderSource',
    method: 'DELETE',
    path: '/v1/accounts/{id}/sources/{source_id}',
    summary: 'Disconnect a mail provider',
    description:
      'Deletes a source and its key. Posthorn then refuses all requests to its URL. You cannot undo this. Delete the webhook at the provider too.',
    tag,
    auth: 'operator',
    role: 'change',
    front: 'account_in_path',
    params: { id: 'acct', source_id: 'src' },
    success: { status: 204, description: 'The source is deleted.' },
  }),
} as const
