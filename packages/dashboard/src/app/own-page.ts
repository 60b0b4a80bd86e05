/** A page of this dashboard that an address asks to be led to; one that leads elsewhere is not followed. */
export function ownPage(wanted: string | undefined | null, otherwise: string): string {
  return typeof wanted === 'string' && /^\/(?![/\\])/.test(wanted) ? wanted : otherwise
}
