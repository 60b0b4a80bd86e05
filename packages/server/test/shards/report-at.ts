import type { DecidedOutcomeInput } from '@posthorn/contract'

/** An answer of an operation that the operator called once. */
export interface Asked<T> {
  readonly status: number
  readonly headers: Headers
  readonly body: T
}

/** Calls a POST operation once, whatever the answer is. */
export async function ask<T>(
  { url, adminToken }: { readonly url: string; readonly adminToken: string },
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Asked<T>> {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  return { status: response.status, headers: response.headers, body: (await response.json()) as T }
}

/** A delivered email of an account, with an id for the outcome. */
export function outcome(accountId: string, id: string): DecidedOutcomeInput & { account_id: string } {
  return {
    account_id: accountId,
    outcome_id: id,
    type: 'email.delivered',
    data: { email_id: id, to: ['ann@example.org'] },
  }
}
