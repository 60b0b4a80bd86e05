import type { Account, ApiKey, Delivery, Event, SigningKey, Webhook } from '@posthorn/contract'

/** Calls the API like any client: over HTTP, with status, headers and JSON. */
export interface Api {
  get<T = unknown>(path: string): Promise<Answer<T>>
  post<T = unknown>(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer<T>>
  put<T = unknown>(path: string, body: unknown): Promise<Answer<T>>
  patch<T = unknown>(path: string, body: unknown): Promise<Answer<T>>
  delete(path: string): Promise<Answer<unknown>>
}

export interface Answer<T> {
  status: number
  headers: Headers
  body: T
}

export interface Page<T> {
  data: T[]
  next_cursor: string | null
}

export function connectApi(url: string, credential: string): Api {
  const call = async <T>(method: string, path: string, body?: unknown, headers = {}): Promise<Answer<T>> => {
    for (;;) {
      const answer = await callOnce<T>(method, path, body, headers)
      // a 503 means that nothing was stored, so repeat the request
      if (answer.status !== 503) return answer
      await new Promise(resolve => setTimeout(resolve, 1_000))
    }
  }
  const callOnce = async <T>(
    method: string,
    path: string,
    body: unknown,
    headers: Record<string, string>,
  ): Promise<Answer<T>> => {
    const response = await fetch(url + path, {
      method,
      headers: {
        authorization: `Bearer ${credential}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      body: (text === '' ? undefined : JSON.parse(text)) as T,
    }
  }
  return {
    get: async path => await call('GET', path),
    post: async (path, body, headers) => await call('POST', path, body, headers),
    put: async (path, body) => await call('PUT', path, body),
    patch: async (path, body) => await call('PATCH', path, body),
    delete: async path => await call('DELETE', path),
  }
}

/** A new account for a test, with a key that has all scopes. */
export interface Customer {
  accountId: string
  apiKey: string
  api: Api
  newWebhook(input: Record<string, unknown>): Promise<Webhook & { secret: string }>
  /** Reports `count` delivered emails in one request and returns the ids of the events. */
  report(count: number, input?: Record<string, unknown>): Promise<string[]>
  deliveries(webhookId: string, query?: string): Promise<Delivery[]>
  signingKeys(webhookId: string): Promise<SigningKey[]>
}

export async function newCustomer(url: string, operator: Api, maxEndpoints = 1_000): Promise<Customer> {
  const account = expectStatus(
    201,
    await operator.post<Account>('/v1/accounts', { name: 'Acme', max_endpoints: maxEndpoints }),
  )
  const key = expectStatus(
    201,
    await operator.post<ApiKey & { api_key: string }>(`/v1/accounts/${account.id}/api-keys`, {
      name: 'test',
      scopes: ['read', 'send', 'ingest', 'keys'],
    }),
  )
  return customerAt(url, account.id, key.api_key)
}

/** The same customer at another process. */
export function customerAt(url: string, accountId: string, apiKey: string): Customer {
  const api = connectApi(url, apiKey)
  return {
    accountId,
    apiKey,
    api,
    newWebhook: async input =>
      expectStatus(201, await api.post<Webhook & { secret: string }>('/v1/webhooks', input)),
    report: async (count, input = {}) => {
      const outcomes = Array.from({ length: count }, () => delivered(input))
      const { events } = expectStatus(202, await api.post<{ events: string[] }>('/v1/outcomes', outcomes))
      return events
    },
    deliveries: async (webhookId, query = '') => {
      const all: Delivery[] = []
      let cursor: string | null = ''
      while (cursor !== null) {
        const path = `/v1/webhooks/${webhookId}/deliveries?limit=250${query}${cursor && `&cursor=${cursor}`}`
        const page: Page<Delivery> = expectStatus(200, await api.get<Page<Delivery>>(path))
        all.push(...page.data)
        cursor = page.next_cursor
      }
      return all
    },
    signingKeys: async webhookId =>
      expectStatus(200, await api.get<Page<SigningKey>>(`/v1/webhooks/${webhookId}/signing-keys`)).data,
  }
}

/** All events of the account, newest first. */
export async function allEvents(api: Api): Promise<Event[]> {
  const all: Event[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const path = `/v1/events?limit=250${cursor && `&cursor=${cursor}`}`
    const page: Page<Event> = expectStatus(200, await api.get<Page<Event>>(path))
    all.push(...page.data)
    cursor = page.next_cursor
  }
  return all
}

let mails = 0

/** A simple decided outcome. */
function delivered(input: Record<string, unknown> = {}): Record<string, unknown> {
  mails++
  return {
    type: 'email.delivered',
    data: { email_id: `em_${mails}`, to: [`reader${mails}@example.org`] },
    ...input,
  }
}

export function expectStatus<T>(status: number, answer: Answer<T>): T {
  if (answer.status !== status) {
    throw new Error(`expected ${status}, got ${answer.status}: ${JSON.stringify(answer.body)}`)
  }
  return answer.body
}
