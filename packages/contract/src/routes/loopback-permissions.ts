import { loopbackPermission, loopbackPermissionPut } from '../resources/loopback-permission.ts'
import { json, route } from '../route.ts'

export const loopbackPermissionRoutes = {
  permitLoopback: route({
    operationId: 'permitLoopback',
    method: 'PUT',
    path: '/v1/accounts/{id}/webhooks/{webhook_id}/loopback-url',
    summary: 'Set a loopback URL for an endpoint',
    description:
      'Sets the URL of one endpoint to an address on the machine of the service, and permits deliveries to its host and port over plain http. Any later change of the URL removes the permission. `posthorn quickstart` uses this operation; use it only to try out Posthorn.',
    tag: 'Webhook endpoints',
    auth: 'operator',
    role: 'change',
    front: 'account_in_path',
    params: { id: 'acct', webhook_id: 'wh' },
    body: json(loopbackPermissionPut),
    success: {
      status: 200,
      description: 'The endpoint has the new URL. No attempt starts with the old URL.',
      schema: loopbackPermission,
    },
    errors: ['url_not_allowed'],
  }),
} as const
