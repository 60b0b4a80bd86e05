import type { Scope, Session } from '@posthorn/contract'
import { managesKeys } from '../words/own-keys.ts'

const operatorPages = ['/operator', '/tools/signature', '/settings']
const notForGuests = ['/audit-log', '/settings']

/** The parts of a session that decide which pages it may open. */
export interface PageVisitor {
  readonly kind: Session['kind']
  readonly scopes: readonly Scope[]
}

/** Whether a session may open a page; the sidebar leaves the others out. */
export function mayOpen({ kind, scopes }: PageVisitor, pathname: string): boolean {
  switch (kind) {
    case 'operator':
      return isUnder(operatorPages, pathname)
    case 'account':
      return !isUnder(['/operator'], pathname)
    case 'portal':
      if (isUnder(['/api-keys'], pathname)) return managesKeys(scopes)
      return !isUnder(['/operator', ...notForGuests], pathname)
  }
}

function isUnder(pages: readonly string[], pathname: string): boolean {
  return pages.some(page => pathname === page || pathname.startsWith(`${page}/`))
}
