import type { Session } from '@posthorn/contract'
import type { LinkProps } from '@tanstack/react-router'

export interface SidebarItem {
  readonly to: Exclude<LinkProps['to'], undefined>
  readonly label: string
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
      { to: '/', label: 'Overview' },
      { to: '/endpoints', label: 'Endpoints', countsAttention: true },
      { to: '/deliveries', label: 'Deliveries' },
      { to: '/events', label: 'Events' },
    ],
  },
  // pages of the mail side have their place here, as a group titled Mail
  {
    title: 'Tools',
    items: [
      { to: '/event-types', label: 'Event types' },
      { to: '/tools/signature', label: 'Signature debugger' },
    ],
  },
]

const ownAccount: SidebarGroup = {
  title: 'Account',
  items: [
    { to: '/api-keys', label: 'API keys' },
    { to: '/audit-log', label: 'Audit log' },
    { to: '/settings', label: 'Settings' },
  ],
}

const operator: readonly SidebarGroup[] = [
  {
    title: 'Operator',
    items: [
      { to: '/operator', label: 'Health' },
      { to: '/operator/accounts', label: 'Accounts' },
      { to: '/operator/system', label: 'System' },
    ],
  },
  { title: 'Tools', items: [{ to: '/tools/signature', label: 'Signature debugger' }] },
  { title: 'You', items: [{ to: '/settings', label: 'Settings' }] },
]

/** The way through the pages, always in the same order; what a session has no part in is absent. */
export function sidebarGroups(kind: Session['kind']): readonly SidebarGroup[] {
  if (kind === 'operator') return operator
  return kind === 'portal' ? account : [...account, ownAccount]
}
