import { stats, statsQuery } from '../resources/stats.ts'
import { route } from '../route.ts'

export const statsRoutes = {
  getStats: route({
    operationId: 'getStats',
    method: 'GET',
    path: '/v1/stats',
    summary: 'Count attempts over time',
    description:
      'Attempts by result and their latencies, oldest first, every point of the time asked for, at most 750. Counts are up to ten seconds behind.',
    tag: 'Statistics',
    auth: 'read',
    query: statsQuery,
    success: { status: 200, description: 'The points.', schema: stats },
  }),
} as const
