import type pg from 'pg'
import { ordinarySettings, startOptions } from './session-settings.ts'

/** What holds for every connection to a server, unless its pool has settings of its own. */
export const connectionConfig = {
  application_name: 'posthorn',
  options: startOptions(ordinarySettings),
  connectionTimeoutMillis: 5_000,
  // a machine that lost its power closes nothing: an idle connection to it is found dead within half a minute
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  // of what is said outside a pool: which server this is, and LISTEN
  query_timeout: 5_000,
} satisfies pg.ClientConfig
