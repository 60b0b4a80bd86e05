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
    tag,
    auth: 'operator',
    body: json(accountCreate),
    success: { status: 201, description: 'The account.', schema: account },
  }),
  listAccounts: route({
    operationId: 'listAccounts',
    method: 'GET',
    path: '/v1/accounts',
    summary: 'List accounts',
    tag,
    auth: 'operator',
    query: pageQuery,
    success: { status: 200, description: 'A page of accounts.', schema: accountPage },
  }),
  getAccount: route({
    operationId: 'getAccount',
    method: 'GET',
    path: '/v1/accounts/{id}',
    summary: 'Get an account',
    tag,
    auth: 'operator',
    params,
    success: { status: 200, description: 'The account.', schema: account },
  }),
  updateAccount: route({
    operationId: 'updateAccount',
    method: 'PATCH',
    path: '/v1/accounts/{id}',
    summary: 'Change an account',
    description: 'Changes only what is named. A lower `max_endpoints` keeps the endpoints that exist.',
    tag,
    auth: 'operator',
    params,
    body: json(accountUpdate),
    success: { status: 200, description: 'The account.', schema: account },
  }),
  deleteAccount: route({
    operationId: 'deleteAccount',
    method: 'DELETE',
    path: '/v1/accounts/{id}',
    summary: 'Delete an account',
    description: 'Its keys and endpoints stop at once; its data is dropped within a day.',
    tag,
    auth: 'operator',
    params,
    success: { status: 204, description: 'Deleted.' },
  }),
} as const
