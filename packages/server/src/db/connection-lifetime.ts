/**
 * The pool replaces an older connection when it is not in use. This drops the prepared statements of past days, and plans
 * that PostgreSQL made while a day's partitions were empty.
 */
export const connectionLifetimeSeconds = 6 * 3_600
