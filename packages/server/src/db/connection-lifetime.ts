/**
 * After this a connection is replaced by a new one, as soon as it is not in use. The statements of the hot path are named
 * after their day: those of past days, and plans that were made while a day's tables were still empty, go with it.
 */
export const connectionLifetimeSeconds = 6 * 3_600
