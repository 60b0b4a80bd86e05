/** What is wrong with an endpoint, by code. */
export const healthWarningCodes = [
  'delivery_exhausted',
  'failing_half_time',
  'disabled_failing',
  'disabled_gone',
  'waiting_expires',
  'certificate_expires_soon',
  'client_certificate_expires_soon',
] as const

export type HealthWarningCode = (typeof healthWarningCodes)[number]
