import { clockConfirmation, system, systemHealth } from '../resources/system.ts'
import { route } from '../route.ts'

const tag = 'System'

export const systemRoutes = {
  getSystem: route({
    operationId: 'getSystem',
    method: 'GET',
    path: '/v1/system',
    summary: 'Tell what the installation consists of',
    description: 'Versions, processes, partitions and the settings in force, never a secret.',
    tag,
    auth: 'operator',
    success: { status: 200, description: 'The installation.', schema: system },
  }),
  getSystemHealth: route({
    operationId: 'getSystemHealth',
    method: 'GET',
    path: '/v1/system/health',
    summary: 'Tell how the installation fares right now',
    description: 'Cheap enough to be asked every few seconds, however much waits.',
    tag,
    auth: 'operator',
    success: { status: 200, description: 'Its health.', schema: systemHealth },
  }),
  confirmClock: route({
    operationId: 'confirmClock',
    method: 'POST',
    path: '/v1/system/confirm-clock',
    summary: 'Confirm that the database’s clock is right',
    description:
      'Maintenance that is stopped because the database’s clock jumped, went back or was not watched for days goes on within seconds: data older than the retention is deleted, by this clock.',
    tag,
    auth: 'operator',
    success: { status: 200, description: 'It is confirmed.', schema: clockConfirmation },
  }),
} as const
