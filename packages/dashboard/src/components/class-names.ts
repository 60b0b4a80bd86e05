/** Joins class names and skips empty ones. */
export function classNames(...names: readonly (string | false | null | undefined)[]): string {
  return names.filter(name => typeof name === 'string' && name !== '').join(' ')
}
