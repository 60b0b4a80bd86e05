/** The current load of a process. */
export interface Activity {
  inFlight: number
  held: number
  unsettled: number
  perSecond: Rates
}

export function sumActivities(activities: readonly Activity[]): Activity {
  const sum = (read: (activity: Activity) => number): number =>
    activities.reduce((total, activity) => total + read(activity), 0)
  return {
    inFlight: sum(one => one.inFlight),
    held: sum(one => one.held),
    unsettled: sum(one => one.unsettled),
    perSecond: {
      accepted: sum(one => one.perSecond.accepted),
      delivered: sum(one => one.perSecond.delivered),
      failed: sum(one => one.perSecond.failed),
    },
  }
}

/** Stored events and finished attempts per second. */
export interface Rates {
  accepted: number
  delivered: number
  failed: number
}
