import { Agent, request as httpRequest } from 'node:http'
import type { ApiRequest } from './api-requests.ts'

/** The answer to a request. */
export interface ApiAnswer {
  status: number
  headers: Readonly<Record<string, string | string[] | undefined>>
  text: string
}

/** Longer than any operation takes on a busy machine, including the wait after a commit. */
const hangMs = 60_000

/** Sends all requests with this concurrency and calls back with each answer. Rejects if an answer is missing. */
export async function askAll(
  url: string,
  requests: Iterable<ApiRequest>,
  atOnce: number,
  judge: (request: ApiRequest, answer: ApiAnswer) => void,
): Promise<void> {
  using agent = disposable(new Agent({ keepAlive: true, maxSockets: atOnce }))
  const queue = requests[Symbol.iterator]()
  const askOneByOne = async (): Promise<void> => {
    for (let next = queue.next(); next.done !== true; next = queue.next()) {
      judge(next.value, await ask(url, next.value, agent))
    }
  }
  await Promise.all(Array.from({ length: atOnce }, askOneByOne))
}

function disposable(agent: Agent): Agent & Disposable {
  return Object.assign(agent, { [Symbol.dispose]: () => agent.destroy() })
}

async function ask(
  url: string,
  { method, path, headers, body }: ApiRequest,
  agent: Agent,
): Promise<ApiAnswer> {
  return await new Promise((resolve, reject) => {
    const fail = (error: Error): void =>
      reject(new Error(`${method} ${path}: ${error.message}`, { cause: error }))
    const length = body === null ? {} : { 'content-length': String(body.length) }
    const sent = httpRequest(
      url,
      { method, path, headers: { ...headers, ...length }, agent, timeout: hangMs },
      response => {
        const parts: Buffer[] = []
        response.on('data', (part: Buffer) => parts.push(part))
        response.on('error', fail)
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: Buffer.concat(parts).toString(),
          }),
        )
      },
    )
    sent.on('timeout', () => sent.destroy(new Error(`no answer within ${hangMs} ms`)))
    sent.on('error', fail)
    sent.end(body ?? undefined)
  })
}
