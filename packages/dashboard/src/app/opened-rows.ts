/** Which row was opened last, by the entry of the browser's history from which that happened. */
const opened = new Map<string, string>()

/** Remembers for this visit that the row with this address was opened, so that whoever comes back finds it. */
export function rememberOpened(historyKey: string | undefined, href: string): void {
  if (historyKey !== undefined) opened.set(historyKey, href)
}

/** Whether this row was the one that was opened from here. */
export function wasOpened(historyKey: string | undefined, href: string): boolean {
  return historyKey !== undefined && opened.get(historyKey) === href
}
