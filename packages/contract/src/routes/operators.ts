import { pageQuery } from '../page.ts'
import { operatorCreate, operatorCreated, operatorPage } from '../resources/operator.ts'
import { json, route } from '../route.ts'

const tag = 'Operators'

export const operatorRoutes = {
  createOperator: route({
    operationId: 'createOperator',
    method: 'POST',
    path: '/v1/operators',
    summary: 'Create an operator’s token',
    description:
      'Creates a token for one person or program. Posthorn shows it only in this response and stores its hash. It works wherever the operator token works, as far as its role allows, and the audit log shows its name.',
    tag,
    auth: 'operator',
    role: 'change',
    front: 'caller',
    body: json(operatorCreate),
    success: { status: 201, description: 'The new token.', schema: operatorCreated },
    errors: ['operator_exists'],
  }),
  listOperators: route({
    operationId: 'listOperators',
    method: 'GET',
    path: '/v1/operators',
    summary: 'List operators’ tokens',
    description:
      'Returns the named tokens, newest first. It does not list the operator token, or people who sign in with the OpenID provider or through a proxy.',
    tag,
    auth: 'operator',
    role: 'view',
    front: 'caller',
    query: pageQuery,
    success: { status: 200, description: 'One page of tokens.', schema: operatorPage },
  }),
  removeOperator: route({
    operationId: 'removeOperator',
    method: 'DELETE',
    path: '/v1/operators/{id}',
    summary: 'Remove an operator’s token',
    description: 'The token and its sessions stop working before this request returns.',
    tag,
    auth: 'operator',
    role: 'change',
    front: 'caller',
    params: { id: 'opr' },
    success: { status: 204, description: 'The token is removed.' },
  }),
} as const
