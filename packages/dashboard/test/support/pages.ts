import type { FurnishedStage } from './stage.ts'

/** The person who looks at a page. */
export type Viewer = 'nobody' | 'customer' | 'operator'

export interface PageToSee {
  /** The name of its screenshot. */
  readonly name: string
  readonly path: string
  readonly viewer: Viewer
  /** The path pattern of its route. */
  readonly route: string
}

/** Every page of the dashboard; a test compares this list with the router's. */
export function everyPage({ ids, service }: FurnishedStage): PageToSee[] {
  const customer = (name: string, route: string, path = route): PageToSee => ({
    name,
    path,
    route,
    viewer: 'customer',
  })
  const operator = (name: string, route: string, path = route): PageToSee => ({
    name,
    path,
    route,
    viewer: 'operator',
  })
  return [
    { name: 'sign-in', path: '/sign-in', route: '/sign-in', viewer: 'nobody' },
    {
      name: 'portal',
      path: '/portal/pses_00000000000000000000000000#used',
      route: '/portal/$portalSessionId',
      viewer: 'nobody',
    },
    customer('overview', '/'),
    customer('endpoints', '/endpoints'),
    customer('endpoint-new', '/endpoints/new'),
    customer('endpoint-deliveries', '/endpoints/$id', `/endpoints/${ids.failing}`),
    customer('endpoint-keys', '/endpoints/$id/keys', `/endpoints/${ids.healthy}/keys`),
    customer('endpoint-check', '/endpoints/$id/check', `/endpoints/${ids.failing}/check`),
    customer('endpoint-replays', '/endpoints/$id/replays', `/endpoints/${ids.failing}/replays`),
    customer('endpoint-settings', '/endpoints/$id/settings', `/endpoints/${ids.healthy}/settings`),
    customer('deliveries', '/deliveries'),
    customer('delivery', '/deliveries/$id', `/deliveries/${ids.failedDelivery}`),
    customer('events', '/events'),
    customer('event', '/events/$id', `/events/${ids.event}`),
    customer('replay', '/replays/$id', `/replays/${ids.replay}`),
    customer('emails', '/emails'),
    customer('email', '/emails/$id', `/emails/${ids.email}`),
    customer('suppressions', '/suppressions'),
    customer('domains', '/domains'),
    customer('domain', '/domains/$id', `/domains/${ids.domain}`),
    customer('event-types', '/event-types'),
    customer('event-type', '/event-types/$type', '/event-types/email.bounced'),
    customer('signature-debugger', '/tools/signature'),
    customer('api-keys', '/api-keys'),
    customer('audit-log', '/audit-log'),
    customer('settings', '/settings'),
    operator('operator-health', '/operator'),
    operator('operator-accounts', '/operator/accounts'),
    operator(
      'operator-account',
      '/operator/accounts/$id',
      `/operator/accounts/${service.customer.accountId}`,
    ),
    operator('operator-system', '/operator/system'),
  ]
}
