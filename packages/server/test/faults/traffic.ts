import { randomUUID } from 'node:crypto'

/** Reports outcomes as a careful mail server does: each with an `outcome_id`, repeated until the answer is 202. */
export interface Traffic {
  /** Ids of the accepted events, in the order of the answers; also if only a repeated report got an answer. */
  accepted: string[]
  /** How often each status was answered. 0 counts requests without an answer. */
  answers: Map<number, number>
  /** Starts no new report and waits until all started ones are accepted. */
  stop(): Promise<void>
}

export interface TrafficOptions {
  /** Called before every try, so that traffic can move to another process. */
  url: () => string
  apiKey: string
  /** Concurrent reports, and outcomes in each. */
  reporters?: number
  batch?: number
  /** The delay after each answer, to leave CPU time to others. */
  pauseMs?: number
  /** Refusals that are repeated, in addition to 429 and those of the server. */
  repeats?: readonly number[]
}

/** How long a reporter waits before it repeats a report. */
const againMs = 100

export function startTraffic({
  url,
  apiKey,
  reporters = 4,
  batch = 20,
  pauseMs = 0,
  repeats = [],
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
      if (answer.status >= 400 && answer.status < 500 && ![429, ...repeats].includes(answer.status)) {
        throw new Error(`an outcome that is right was refused with ${answer.status}`)
      }
      await pause(againMs)
    }
  }

  const all = Promise.all(Array.from({ length: reporters }, reportForEver))
  // `stop` reports a refusal, whatever the test is doing at that time
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

interface Answer {
  events?: string[]
  ignored?: Array<{ reason: string; event_id?: string }>
}

/** Status 0 means no answer. */
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
    const { events = [], ignored = [] } = (await response.json()) as Answer
    const stored = ignored.flatMap(({ reason, event_id: id }) => (reason === 'duplicate' && id ? [id] : []))
    return { status: response.status, events: [...events, ...stored] }
  } catch {
    return { status: 0, events: [] }
  }
}

async function pause(ms: number): Promise<void> {
  await new Promise(resolve => setTimeout(resolve, ms))
}
