import type { Session } from '@posthorn/contract'

const operatorPages = ['/operator', '/tools/signature', '/settings']
const notForGuests = ['/api-keys', '/audit-log', '/settings']

/** Whether a session may open a page; the sidebar leaves the others out. */
export function mayOpen(kind: Session['kind'], pathname: string): boolean {
  switch (kind) {
    case 'operator':
      return isUnder(operatorPages, pathname)
    case 'account':
      return !isUnder(['/operator'], pathname)
    case 'portal':
      return !isUnder(['/operator', ...notForGuests], pathname)
  }
}

function isUnder(pages: readonly string[], pathname: string): boolean {
  return pages.some(page => pathname === page || pathname.startsWith(`${page}/`))
}
