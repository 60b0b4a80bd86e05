import type { Account, ApiKey, SendingDomain, Webhook } from '@posthorn/contract'
import { mayOpen, type PageVisitor } from '../app/may-open.ts'
import { sidebarGroups } from '../app/sidebar-groups.ts'
import { endpointName } from '../words/endpoint-name.ts'
import { managesKeys } from '../words/own-keys.ts'
import type { Match } from './match.ts'

/** Everything with a name that the session can open. */
export interface Named {
  readonly webhooks: readonly Webhook[]
  readonly apiKeys: readonly ApiKey[]
  readonly domains: readonly Pick<SendingDomain, 'id' | 'name' | 'created_at'>[]
  readonly accounts: readonly Pick<Account, 'id' | 'name' | 'created_at'>[]
}

/** Pages, actions and named things, as search results. Actions are left out if the session may not change anything. */
export function places(session: PageVisitor, { webhooks, apiKeys, domains, accounts }: Named): Match[] {
  const mayChange = session.scopes.includes('send') && session.kind !== 'operator'
  return [
    ...accounts.map(({ id, name, created_at: at }): Match => {
      return { group: 'Accounts', href: `/operator/accounts/${id}`, title: name, detail: id, at }
    }),
    ...webhooks.map(webhook => endpointMatch(webhook)),
    ...pagesOf(session),
    ...webhooks.flatMap(pagesOfEndpoint),
    ...(mayChange
      ? [...actionsOf(session), ...webhooks.flatMap(actionsOfEndpoint), ...testsOf(webhooks)]
      : []),
    ...apiKeys.map(({ id, name, created_at: at }): Match => {
      return { group: 'API keys', href: '/api-keys', title: name, detail: id, at }
    }),
    ...domains.map(({ id, name, created_at: at }): Match => {
      return { group: 'Domains', href: `/domains/${id}`, title: name, detail: id, at }
    }),
  ]
}

export function endpointMatch(webhook: Webhook): Match {
  const { id, url, description, created_at: at } = webhook
  return {
    group: 'Endpoints',
    href: `/endpoints/${id}`,
    title: endpointName(webhook),
    detail: url,
    alias: description,
    at,
  }
}

function pagesOf(session: PageVisitor): Match[] {
  return sidebarGroups(session)
    .flatMap(group => group.items)
    .map(({ to, label }) => {
      return { group: 'Pages', href: to, title: label, detail: '', alias: aliases[to] ?? '' }
    })
}

/** Words for pages from other services and from the API. */
const aliases: Readonly<Record<string, string>> = {
  '/': 'dashboard home statistics bounce rate complaint rate',
  '/endpoints': 'webhooks urls',
  '/deliveries': 'attempts retries failures logs',
  '/events': 'bounces bounced complaints unsubscribes failed delivered outcomes',
  '/emails': 'messages mail sent',
  '/suppressions': 'blocklist unsubscribed bounced complaints',
  '/domains': 'sending dkim spf dmarc dns',
  '/event-types': 'schema payload examples',
  '/tools/signature': 'verify hmac secret',
  '/api-keys': 'tokens credentials',
  '/audit-log': 'history changes who',
  '/settings': 'theme dark time zone notices branding shortcuts preferences',
}

function pagesOfEndpoint(webhook: Webhook): Match[] {
  const page = (path: string, what: string): Match => {
    const title = `${what} of ${endpointName(webhook)}`
    return { group: 'Pages', href: `/endpoints/${webhook.id}/${path}`, title, detail: '', alias: webhook.url }
  }
  return [
    page('keys', 'Signing keys'),
    page('check', 'Check'),
    page('replays', 'Replays'),
    page('settings', 'Settings'),
  ]
}

function actionsOf(session: PageVisitor): Match[] {
  const actions: Match[] = [
    {
      group: 'Actions',
      href: '/endpoints/new',
      title: 'Add endpoint',
      detail: '',
      alias: 'create webhook new',
    },
    {
      group: 'Actions',
      href: '/suppressions',
      title: 'Add suppression',
      detail: '',
      alias: 'block',
      asks: 'add',
    },
    {
      group: 'Actions',
      href: '/suppressions',
      title: 'Import suppressions',
      detail: '',
      alias: 'csv upload',
      asks: 'import',
    },
    {
      group: 'Actions',
      href: '/domains',
      title: 'Add domain',
      detail: '',
      alias: 'sending dkim',
      asks: 'add',
    },
    ...(managesKeys(session.scopes)
      ? [
          {
            group: 'Actions' as const,
            href: '/api-keys',
            title: 'Create API key',
            detail: '',
            asks: 'create',
          },
        ]
      : []),
  ]
  return actions.filter(({ href }) => mayOpen(session, href))
}

function actionsOfEndpoint(webhook: Webhook): Match[] {
  const name = endpointName(webhook)
  const alias = webhook.url
  const href = `/endpoints/${webhook.id}`
  return [
    {
      group: 'Actions',
      href: `${href}/keys`,
      title: `Rotate key of ${name}`,
      detail: '',
      alias: `${alias} secret`,
    },
    { group: 'Actions', href: `${href}/replays`, title: `Replay events to ${name}`, detail: '', alias },
    { group: 'Actions', href: `${href}/check`, title: `Check ${name}`, detail: '', alias },
  ]
}

/** With several endpoints, the first action asks for one. A disabled endpoint gets no test event. */
function testsOf(webhooks: readonly Webhook[]): Match[] {
  const tests = webhooks
    .filter(({ status }) => status === 'enabled')
    .map((webhook): Match => {
      return {
        group: 'Actions',
        href: `/endpoints/${webhook.id}`,
        title: `Send test event to ${endpointName(webhook)}`,
        detail: '',
        alias: webhook.url,
        asks: 'test',
      }
    })
  const choice: Match = {
    group: 'Actions',
    href: '',
    title: 'Send test event…',
    detail: '',
    fills: 'Send test event to ',
  }
  return tests.length > 1 ? [choice, ...tests] : tests
}
