import { system, systemHealth } from '../resources/system.ts'
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
} as const
