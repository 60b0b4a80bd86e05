import type pg from 'pg'

/** What holds for every connection to a server. */
export const connectionConfig: pg.ClientConfig = {
  application_name: 'posthorn',
  connectionTimeoutMillis: 5_000,
  // a machine that lost its power closes nothing: an idle connection to it is found dead within half a minute
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  // of what is said outside a pool: which server this is, and LISTEN
  query_timeout: 5_000,
}
