/** The length of a point in seconds. */
export const statsSteps = {
  '1m': 60,
  '15m': 900,
  '1h': 3_600,
  '2h': 7_200,
  '6h': 21_600,
  '1d': 86_400,
} as const

export type StatsStep = keyof typeof statsSteps
