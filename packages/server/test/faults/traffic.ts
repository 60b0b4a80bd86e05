import { randomUUID } from 'node:crypto'

/** Reports outcomes as a careful mail server does: each with its `outcome_id`, repeated until it is answered 202. */
export interface Traffic {
  /** Ids of the events that were answered 202, in the order of the answers. */
  accepted: string[]
  /** How often each status was answered; 0 counts requests that got no answer. */
  answers: Map<number, number>
  /** Begins no new report, goes on until every begun one is accepted. */
  stop(): Promise<void>
}

export interface TrafficOptions {
  /** Asked before every try, so that traffic can move to another process. */
  url: () => string
  apiKey: string
  /** Reports under way at once, and outcomes in each. */
  reporters?: number
  batch?: number
  /** Waits so long after each answer, so that others have something of the machine. */
  pauseMs?: number
}

/** How long a reporter waits before it says the same again. */
const againMs = 100

export function startTraffic({
  url,
  apiKey,
  reporters = 4,
  batch = 20,
  pauseMs = 0,
}: TrafficOptions): Traffic {
  const accepted: string[] = []
  const answers = new Map<number, number>()
  let isStopped = false

  async function reportForEver(): Promise<void> {
    while (!isStopped) {
      const outcomes = Array.from({ length: batch }, newOutcome)
      accepted.push(...(await reportUntilAccepted(outcomes)))
      if (pauseMs > 0) await pause(pauseMs)
    }
  }

  async function reportUntilAccepted(outcomes: object[]): Promise<string[]> {
    for (;;) {
      const answer = await post(url(), apiKey, outcomes)
      answers.set(answer.status, (answers.get(answer.status) ?? 0) + 1)
      if (answer.status === 202) return answer.events
      if (answer.status >= 400 && answer.status < 500 && answer.status !== 429) {
        throw new Error(`an outcome that is right was refused with ${answer.status}`)
      }
      await pause(againMs)
    }
  }

  const all = Promise.all(Array.from({ length: reporters }, reportForEver))
  // a refusal is told by `stop`, wherever the test stands meanwhile
  all.catch(() => {})
  return {
    accepted,
    answers,
    stop: async () => {
      isStopped = true
      await all
    },
  }
}

let mails = 0

function newOutcome(): object {
  mails++
  return {
    type: 'email.delivered',
    outcome_id: randomUUID(),
    data: { email_id: `em_${mails}`, to: [`reader${mails}@example.org`] },
  }
}

/** Status 0 stands for no answer. */
async function post(
  url: string,
  apiKey: string,
  outcomes: object[],
): Promise<{ status: number; events: string[] }> {
  try {
    const response = await fetch(`${url}/v1/outcomes`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(outcomes),
      signal: AbortSignal.timeout(30_000),
    })
    const body = (await response.json()) as { events?: string[] }
    return { status: response.status, events: body.events ?? [] }
  } catch {
    return { status: 0, events: [] }
  }
}

async function pause(ms: number): Promise<void> {
  await new Promise(resolve => setTimeout(resolve, ms))
}
