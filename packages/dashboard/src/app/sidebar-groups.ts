import type { LinkProps } from '@tanstack/react-router'
import { mayOpen, type PageVisitor } from './may-open.ts'

export interface SidebarItem {
  readonly to: Exclude<LinkProps['to'], undefined>
  readonly label: string
  /** The key that opens it after `g`. */
  readonly goKey: string
  /** Its badge counts the endpoints that need attention. */
  readonly countsAttention?: boolean
}

export interface SidebarGroup {
  readonly title: string | null
  readonly items: readonly SidebarItem[]
}

const account: readonly SidebarGroup[] = [
  {
    title: null,
    items: [
      { to: '/', label: 'Overview', goKey: 'o' },
      { to: '/endpoints', label: 'Endpoints', goKey: 'e', countsAttention: true },
      { to: '/deliveries', label: 'Deliveries', goKey: 'd' },
      { to: '/events', label: 'Events', goKey: 'v' },
    ],
  },
  {
    title: 'Mail',
    items: [
      { to: '/emails', label: 'Emails', goKey: 'm' },
      { to: '/suppressions', label: 'Suppressions', goKey: 'u' },
      { to: '/domains', label: 'Domains', goKey: 'n' },
    ],
  },
  {
    title: 'Tools',
    items: [
      { to: '/event-types', label: 'Event types', goKey: 't' },
      { to: '/tools/signature', label: 'Signature debugger', goKey: 's' },
    ],
  },
]

const apiKeys: SidebarItem = { to: '/api-keys', label: 'API keys', goKey: 'p' }

const ownAccount: SidebarGroup = {
  title: 'Account',
  items: [
    apiKeys,
    { to: '/audit-log', label: 'Audit log', goKey: 'a' },
    { to: '/settings', label: 'Settings', goKey: ',' },
  ],
}

const operator: readonly SidebarGroup[] = [
  {
    title: 'Operator',
    items: [
      { to: '/operator', label: 'Health', goKey: 'h' },
      { to: '/operator/accounts', label: 'Accounts', goKey: 'c' },
      { to: '/operator/system', label: 'System', goKey: 'y' },
    ],
  },
  { title: 'Tools', items: [{ to: '/tools/signature', label: 'Signature debugger', goKey: 's' }] },
  { title: 'You', items: [{ to: '/settings', label: 'Settings', goKey: ',' }] },
]

/** The sidebar's links, always in the same order, without pages that the session may not open. */
export function sidebarGroups(session: PageVisitor): readonly SidebarGroup[] {
  if (session.kind === 'operator') return operator
  if (session.kind === 'account') return [...account, ownAccount]
  return mayOpen(session, apiKeys.to) ? [...account, { title: 'Account', items: [apiKeys] }] : account
}
