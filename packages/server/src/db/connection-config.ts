import type pg from 'pg'
import { ordinarySettings, startOptions } from './session-settings.ts'

/** Settings of every connection to a server. A pool may override them. */
export const connectionConfig = {
  application_name: 'posthorn',
  options: startOptions(ordinarySettings),
  connectionTimeoutMillis: 5_000,
  // a machine that lost power closes no connection: keep-alive detects that within half a minute
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  // for statements outside a pool: the check for a primary, and LISTEN
  query_timeout: 5_000,
} satisfies pg.ClientConfig
