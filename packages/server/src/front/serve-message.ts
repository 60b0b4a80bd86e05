import { routes, type SourceAccepted } from '@posthorn/contract'
import type { FastifyRequest } from 'fastify'
import {
  returnPathsIn,
  returnPathToken,
  unsubscribeToken,
  unsubscribeTokensIn,
} from '../domain/sources/return-path.ts'
import { mediaTypeOf } from '../http/read-request.ts'
import { type IncomingMail, readIncoming } from '../mail/read-incoming.ts'
import { clientAddress, forward, sendAnswer } from './forward.ts'
import { forwardOwnReport } from './forward-own-report.ts'
import type { Front } from './front.ts'
import { operatorHeaders } from './operator-headers.ts'
import { readAnswer } from './read-answer.ts'
import { readWholeBody } from './read-whole-body.ts'
import { sendToShard, type Target } from './send-to-shard.ts'
import type { Handler } from './serve-route.ts'
import { codesIn } from './source-owner.ts'

const route = routes.reportMessage

/**
 * Serves `POST /v1/sources/message`. A message may contain tokens of several accounts, genuine or not. So the
 * shards of these accounts get it one after the other, until one accepts a token.
 */
export function serveMessageAt(front: Front): Handler {
  const forwardOwn = forwardOwnReport(front, route, () => true)
  return async (request, reply) => {
    const headers = await operatorHeaders(front, request, route)
    if (headers === null) return await forwardOwn(request, reply)
    const body = await readWholeBody(front.held, route, request, reply)
    const [last = { shard: 0 }, ...others] = (await targetsOf(front, request, body)).reverse()
    for (const target of others.reverse()) {
      const answer = await sendToShard(front, target, {
        method: 'POST',
        path: request.url,
        headers,
        body,
        forwardedFor: clientAddress(front, request),
        isRepeatable: true,
      })
      if (answer.status !== 202) return sendAnswer(reply, answer)
      const accepted = (await readAnswer(answer)) as SourceAccepted
      if (!isUnverified(accepted)) return await reply.code(202).send(accepted)
    }
    return await forward(front, request, reply, { target: last, body, headers, isRepeatable: true })
  }
}

/** One account for each shard that may know a token in the message. */
async function targetsOf(front: Front, request: FastifyRequest, mail: Buffer): Promise<Target[]> {
  if (mediaTypeOf(request) !== 'message/rfc822') return []
  const { recipient } = request.query as { recipient?: unknown }
  const codes = codesIn(tokensIn(await readIncoming(mail), typeof recipient === 'string' ? recipient : ''))
  if (codes.some(code => front.directory.find(code) === undefined)) await front.directory.refresh()
  const byShard = new Map<number, Target>()
  for (const code of codes) {
    const shard = front.directory.find(code)?.shard
    if (shard !== undefined && !byShard.has(shard)) byShard.set(shard, { account: code })
  }
  return [...byShard.values()]
}

/** The tokens in a message, in the order in which a shard tries them. */
function tokensIn(incoming: IncomingMail, recipient: string): string[] {
  const text = `${recipient}\n${textWithTokens(incoming)}`
  const returnPaths = returnPathsIn(text).flatMap(address => returnPathToken(address) ?? [])
  const unsubscribes = unsubscribeTokensIn(text)
  return [
    ...[returnPathToken(recipient), unsubscribeToken(recipient)].filter(token => token !== null),
    ...returnPaths,
    ...unsubscribes,
  ]
}

function textWithTokens(incoming: IncomingMail): string {
  switch (incoming.kind) {
    case 'delivery_report':
    case 'complaint':
      return incoming.text
    case 'mail':
      return incoming.destinations
    case 'other_feedback':
      return ''
  }
}

function isUnverified({ events, ignored }: SourceAccepted): boolean {
  return events.length === 0 && ignored.every(({ reason }) => reason === 'unverified')
}
