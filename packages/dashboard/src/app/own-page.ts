/** The page of this dashboard that a URL asks for; `otherwise` if it leads elsewhere. */
export function ownPage(wanted: string | undefined | null, otherwise: string): string {
  return typeof wanted === 'string' && /^\/(?![/\\])/.test(wanted) ? wanted : otherwise
}
