/** The row that was last opened, by the entry in the browser's history. */
const opened = new Map<string, string>()

/** Remembers for this visit which row was opened, so that Back can restore its focus. */
export function rememberOpened(historyKey: string | undefined, href: string): void {
  if (historyKey !== undefined) opened.set(historyKey, href)
}

/** Whether this row was opened from this entry of the history. */
export function wasOpened(historyKey: string | undefined, href: string): boolean {
  return historyKey !== undefined && opened.get(historyKey) === href
}
