import type { Zone } from '../format/times.ts'

export interface ZoneTick {
  readonly atMs: number
  /** A day starts here, so the label is its date. */
  readonly isDay: boolean
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
const stepsMs = [5, 10, 15, 30, 60, 120, 180, 360, 720].map(minutes => minutes * minuteMs)
const daySteps = [1, 2, 5, 10]

/** At most `most` round times of the reader's zone within a range, oldest first. */
export function zoneTicks(fromMs: number, untilMs: number, zone: Zone, most: number): ZoneTick[] {
  const lengthMs = untilMs - fromMs
  const stepMs = stepsMs.find(step => lengthMs / step <= most)
  if (stepMs !== undefined) return clockTicks(fromMs, untilMs, zone, stepMs)
  const days = daySteps.find(step => lengthMs / (step * dayMs) <= most) ?? 10
  return dayTicks(fromMs, untilMs, zone, days)
}

function clockTicks(fromMs: number, untilMs: number, zone: Zone, stepMs: number): ZoneTick[] {
  const ticks: ZoneTick[] = []
  // a zone's offset is a multiple of 15 minutes and may change within the range
  const finestMs = Math.min(stepMs, 15 * minuteMs)
  for (let atMs = Math.ceil(fromMs / finestMs) * finestMs; atMs < untilMs; atMs += finestMs) {
    const ofDayMs = wallMs(atMs, zone) % dayMs
    if (ofDayMs % stepMs === 0) ticks.push({ atMs, isDay: ofDayMs === 0 })
  }
  return ticks
}

function dayTicks(fromMs: number, untilMs: number, zone: Zone, days: number): ZoneTick[] {
  const midnights = clockTicks(fromMs, untilMs, zone, 15 * minuteMs).filter(tick => tick.isDay)
  return midnights.filter((_, place) => (midnights.length - 1 - place) % days === 0)
}

/** The local time at a moment, written as if it were UTC. */
function wallMs(atMs: number, zone: Zone): number {
  return zone === 'utc' ? atMs : atMs - new Date(atMs).getTimezoneOffset() * minuteMs
}
