/** Beyond these limits, the Health page, `posthorn status` and the alerts in `deploy/prometheus-rules.yaml` report a problem. */
export const healthLimits = {
  databaseMs: 250,
  oldestDueSeconds: 60,
  clockSkewMs: 30_000,
  unsettledResults: 1_000,
  /** How long before the mail server's certificate expires. */
  mailCertificateMs: 7 * 86_400_000,
} as const
