/** What can be wrong with one delivery attempt: the closed list that customers see. */
export type AttemptErrorCode =
  | 'dns_failed'
  | 'address_refused'
  | 'connect_refused'
  | 'connect_timeout'
  | 'tls_failed'
  | 'tls_name_mismatch'
  | 'tls_expired'
  | 'connection_reset'
  | 'response_timeout'
  | 'response_malformed'
  | 'redirect_refused'
  | 'status_not_2xx'
  | 'request_timeout'
  | 'headers_too_large'
  | 'aborted_by_shutdown'
  | 'unknown'

/** A failed attempt's reason; `message` tells the customer in words what to mend. */
export interface AttemptError {
  code: AttemptErrorCode
  message: string
}
