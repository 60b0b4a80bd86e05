import { sendingLimits } from '../resources/account.ts'
import { route } from '../route.ts'

export const sendingLimitRoutes = {
  getSendingLimits: route({
    operationId: 'getSendingLimits',
    method: 'GET',
    path: '/v1/sending-limits',
    summary: 'Get your sending limits',
    description:
      'Returns how many messages you may send per hour and day, how many you have sent, and whether you are suspended. Only the operator changes limits and lifts suspensions.',
    tag: 'Emails',
    auth: 'read',
    front: 'caller',
    success: { status: 200, description: 'The limits.', schema: sendingLimits },
  }),
} as const
