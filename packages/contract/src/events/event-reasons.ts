import { bounceCategories } from './email-bounced.ts'
import { unsubscribeSources } from './email-unsubscribed.ts'
import { failureReasons } from './failure.ts'

/** Why events happened, of all types; each reason once. */
export const eventReasons = [
  ...new Set([...bounceCategories, ...Object.values(failureReasons).flat(), ...unsubscribeSources]),
]
