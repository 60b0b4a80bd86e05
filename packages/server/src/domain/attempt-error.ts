/** Why a delivery attempt can fail. Customers see these codes. */
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

/** Why an attempt failed. `message` tells the customer what to fix. */
export interface AttemptError {
  code: AttemptErrorCode
  message: string
}
