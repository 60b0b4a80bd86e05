import { stats, statsQuery } from '../resources/stats.ts'
import { route } from '../route.ts'

export const statsRoutes = {
  getStats: route({
    operationId: 'getStats',
    method: 'GET',
    path: '/v1/stats',
    summary: 'Get statistics of outcomes and attempts',
    description:
      'Returns the number of outcomes over time by type, and of attempts by result, with latencies, oldest first. Outcomes also come by reason and by the domain of the recipients. Duplicates and test events do not count. A response has at most 750 points: choose a larger `bucket` for a longer time. Counts can be up to ten seconds old.',
    tag: 'Statistics',
    auth: 'read',
    front: 'caller',
    query: statsQuery,
    success: { status: 200, description: 'The counts.', schema: stats },
  }),
} as const
