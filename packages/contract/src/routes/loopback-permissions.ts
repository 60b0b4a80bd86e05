import { loopbackPermission, loopbackPermissionPut } from '../resources/loopback-permission.ts'
import { json, route } from '../route.ts'

export const loopbackPermissionRoutes = {
  permitLoopback: route({
    operationId: 'permitLoopback',
    method: 'PUT',
    path: '/v1/accounts/{id}/webhooks/{webhook_id}/loopback-url',
    summary: "Move an endpoint to the service's own machine",
    description:
      'Sets the URL of one endpoint and lets that endpoint be delivered to exactly its host and port, over plain http. Any later change of the URL removes the permission. For trying Posthorn out: `posthorn quickstart` uses it.',
    tag: 'Webhook endpoints',
    auth: 'operator',
    params: { id: 'acct', webhook_id: 'wh' },
    body: json(loopbackPermissionPut),
    success: {
      status: 200,
      description: 'Permitted: no attempt goes to the URL before any more.',
      schema: loopbackPermission,
    },
    errors: ['url_not_allowed'],
  }),
} as const
