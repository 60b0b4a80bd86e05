import type { ErrorCode } from './error-codes.ts'

/** What each error code means and what the caller should do. The API reference shows it for each operation. */
export const errorAdvice = {
  malformed_json: 'The body is not valid JSON in UTF-8. Correct the body.',
  malformed_request: 'The request is not valid HTTP, or it arrived too slowly. Correct it and send it again.',
  unauthorized:
    'The credential is missing, unknown, expired or revoked. Send a valid one as `Authorization: Bearer <credential>`.',
  insufficient_scope:
    'The credential is valid but lacks the scope for this operation. Use a credential with the scope that the operation names under Security.',
  insufficient_role:
    'You signed in as an operator who may only view. Ask an operator with the role `change`, or use their token.',
  account_mismatch: 'The request names an account that the credential does not belong to. Omit `account_id`.',
  sending_suspended:
    'The operator’s limits of bounces or complaints were exceeded, or the operator suspended the account. Remove bad addresses, then ask the operator to lift the suspension.',
  csrf_failed:
    'The browser sent the session cookie without a matching `X-CSRF-Token`, or another site sent the request. Send the `csrf_token` of `GET /v1/session`.',
  https_required: 'You can sign in only over HTTPS or on the same machine. Use the https address.',
  not_found:
    'Your account has no object with this id. Check the id: the list operations return the ids that exist.',
  method_not_allowed: 'The path does not support this method. Use one of the methods in the `Allow` header.',
  idempotency_key_reused:
    'An earlier request used this `Idempotency-Key` with different content. Use a new key.',
  idempotency_key_in_use:
    'A request with this `Idempotency-Key` is still running. Wait a moment, then send the same request again.',
  endpoint_limit_reached:
    'The account has reached its limit of endpoints. Delete an endpoint, or ask the operator to raise `max_endpoints`.',
  api_key_limit_reached:
    'The account has reached its limit of 100 API keys that work or were created in the last 24 hours. Revoke keys that you no longer use, or ask the operator to create one.',
  primary_key_cannot_be_retired:
    'An endpoint always has one primary key. Promote another key instead; Posthorn then retires this one.',
  signing_key_not_staged:
    'The key is already primary or retired. List the signing keys and use one whose `state` is `staged`.',
  staged_key_limit_reached:
    'The endpoint already has two staged keys. Promote or retire one of them, then stage another.',
  delivery_pending: 'An attempt is due or in flight. Wait until it has ended, then try again.',
  endpoint_disabled: 'Posthorn sends nothing to a disabled endpoint. Enable the endpoint first.',
  endpoint_deleted: 'The endpoint was deleted, so Posthorn cannot send to it. Create a new endpoint.',
  delivery_erased: 'An erasure removed the recipient of this event. Posthorn never sends the event again.',
  event_expired:
    'The event is older than the retention period, so Posthorn no longer has its content and cannot send it again.',
  domain_exists: 'The account already has this domain. Get it from `GET /v1/domains`.',
  domain_taken:
    'Another account has already verified this domain. Ask the operator which account should send for it.',
  domain_limit_reached:
    'The account has reached its limit of domains. Delete a domain that you no longer use.',
  operator_exists: 'Another operator’s token has this name. Choose another name, or remove that token first.',
  sending_not_configured:
    'This installation cannot send email yet. Ask the operator to set `POSTHORN_SMTP_URL` and the settings that `detail` names.',
  portal_link_ended: 'The portal link was used, has expired or was revoked. Ask the operator for a new link.',
  body_too_large: 'The body exceeds the limit of this operation. Send less in one request.',
  batch_too_large: 'The report has more than 1,000 outcomes. Split it into several requests.',
  unsupported_media_type:
    'The operation does not accept this `Content-Type`, or the body is compressed. Send an uncompressed body with one of the listed media types.',
  validation_failed: 'One or more fields or parameters are invalid. Correct those that `errors` lists.',
  url_not_allowed:
    'Posthorn does not deliver to this URL. `detail` names the rule that it breaks. Use a public `https` URL.',
  event_too_large: 'An outcome produces an event that is too large. Shorten its metadata, tags or subject.',
  rate_limited: 'Too many requests. Wait for the number of seconds in `Retry-After`.',
  quota_exceeded:
    'The account has sent as many messages as it may in this hour or on this day. Wait for the number of seconds in `Retry-After`, or ask the operator to raise the limit.',
  headers_too_large: 'The request line and headers are too large. Send fewer or shorter headers.',
  internal_error:
    'Posthorn failed unexpectedly. Try again. If it fails again, give the `request_id` to the operator.',
  overloaded:
    'Posthorn has no capacity for the request right now. Wait for the number of seconds in `Retry-After`, then repeat it.',
  database_unavailable:
    'The database does not respond. Wait for the number of seconds in `Retry-After`, then repeat the request. An `Idempotency-Key` or `outcome_id` makes that safe.',
  shard_unavailable:
    'The database of this account does not respond, but other accounts work. Wait for the number of seconds in `Retry-After`, then repeat the request. An `Idempotency-Key` or `outcome_id` makes that safe.',
  account_moving:
    'The account is being moved to another database. Wait for the number of seconds in `Retry-After`, then repeat the request.',
} as const satisfies Record<ErrorCode, string>
