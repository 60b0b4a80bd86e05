import { pageQuery } from '../page.ts'
import { account, accountCreate, accountPage, accountUpdate } from '../resources/account.ts'
import { json, route } from '../route.ts'

const tag = 'Accounts'
const params = { id: 'acct' } as const

export const accountRoutes = {
  createAccount: route({
    operationId: 'createAccount',
    method: 'POST',
    path: '/v1/accounts',
    summary: 'Create an account',
    description:
      'Creates an account for one of your customers. The account owns API keys, webhook endpoints, emails and events. Next, create an API key for it.',
    tag,
    auth: 'operator',
    role: 'change',
    front: 'new_account',
    body: json(accountCreate),
    success: { status: 201, description: 'The new account.', schema: account },
  }),
  listAccounts: route({
    operationId: 'listAccounts',
    method: 'GET',
    path: '/v1/accounts',
    summary: 'List accounts',
    description: 'Returns all accounts of this installation, newest first.',
    tag,
    auth: 'operator',
    role: 'view',
    front: 'all_shards',
    query: pageQuery,
    success: { status: 200, description: 'One page of accounts.', schema: accountPage },
  }),
  getAccount: route({
    operationId: 'getAccount',
    method: 'GET',
    path: '/v1/accounts/{id}',
    summary: 'Get an account',
    description: 'Returns an account and the number of its endpoints.',
    tag,
    auth: 'operator',
    role: 'view',
    front: 'account_in_path',
    params,
    success: { status: 200, description: 'The account.', schema: account },
  }),
  updateAccount: route({
    operationId: 'updateAccount',
    method: 'PATCH',
    path: '/v1/accounts/{id}',
    summary: 'Update an account',
    description:
      'Changes only the fields that you send. If you set `max_endpoints` below the number of existing endpoints, the account keeps them but cannot create more.',
    tag,
    auth: 'operator',
    role: 'change',
    front: 'account_in_path',
    params,
    body: json(accountUpdate),
    success: { status: 200, description: 'The updated account.', schema: account },
  }),
  deleteAccount: route({
    operationId: 'deleteAccount',
    method: 'DELETE',
    path: '/v1/accounts/{id}',
    summary: 'Delete an account',
    description:
      'Deletes an account with everything that belongs to it. Its API keys and endpoints stop working before this request returns. Posthorn deletes the data within a day. You cannot undo this.',
    tag,
    auth: 'operator',
    role: 'change',
    front: 'account_in_path',
    params,
    success: { status: 204, description: 'The account is deleted.' },
  }),
} as const
