/** The filters of these names as texts; all other parameters of the URL are left out. */
export function textFilters<const Name extends string>(
  names: readonly Name[],
  search: Record<string, unknown>,
): { readonly [Key in Name]?: string } {
  const given = names.flatMap(name => {
    const value = search[name]
    return typeof value === 'string' && value !== '' ? [[name, value] as const] : []
  })
  return Object.fromEntries(given) as { readonly [Key in Name]?: string }
}
