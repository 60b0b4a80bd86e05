/** The events that this example has seen; yours would go into a database. */
export const processed: string[] = []
