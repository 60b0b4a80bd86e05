import { type BounceCategory, bounceSentences } from './bounce-category.ts'
import { formatEnhancedCode } from './enhanced-code.ts'
import { type FailureName, failureNamed } from './failure.ts'
import type { Reply } from './read-reply.ts'
import { commandOf, type SmtpCommand, type Stage } from './stage.ts'

/** The meaning of a raw outcome. */
export type Classification = {
  /** The stable name of the rule that decided. */
  readonly rule: string
  /** A sentence for people. */
  readonly message: string
  /** The words of the report that decided, in lower case and without addresses. */
  readonly matched?: string
} & (
  | { readonly event: null; readonly reason: 'temporary' | 'not_an_outcome' }
  | { readonly event: 'email.delivered'; readonly reason: 'accepted'; readonly data: ReplyPart }
  | {
      readonly event: 'email.bounced'
      readonly reason: BounceCategory
      readonly data: BouncePart & ReplyPart
    }
  | { readonly event: 'email.failed'; readonly reason: string; readonly data: FailurePart & ReplyPart }
  | {
      readonly event: 'email.unsubscribed'
      readonly reason: 'complaint' | 'api'
      readonly data: UnsubscribePart
    }
)

export type Evidence = 'enhanced_status_code' | 'reply_text' | 'dns'

interface ReplyPart {
  readonly smtp_response?: {
    readonly code: number | null
    readonly enhanced_code: string | null
    readonly message: string
    readonly command?: SmtpCommand
  }
}

interface BouncePart {
  readonly bounce: {
    readonly type: 'permanent'
    readonly category: BounceCategory
    readonly message: string
    readonly timing: 'synchronous' | 'asynchronous'
    readonly evidence: Evidence
  }
}

interface FailurePart {
  readonly scope: 'recipient' | 'message'
  readonly failure: {
    readonly category: 'infrastructure' | 'policy' | 'signing'
    readonly reason: string
    readonly stage?: Stage
    readonly message: string
    readonly retryable: boolean
    readonly expired: boolean
    readonly blocklist?: string
    /** The other address that the reply refuses, because the mail was forwarded to it. */
    readonly final_recipient?: string
  }
}

interface UnsubscribePart {
  readonly unsubscribe: { readonly source: 'complaint' | 'api'; readonly scope: { readonly type: 'all' } }
}

export function nothing(
  rule: string,
  reason: 'temporary' | 'not_an_outcome',
  message: string,
): Classification {
  return { event: null, reason, rule, message }
}

export function delivered(reply: Reply, stage: Stage | null): Classification {
  const message = 'The receiving server accepted the email.'
  return {
    event: 'email.delivered',
    reason: 'accepted',
    rule: 'accepted',
    message,
    data: replyPart(reply, stage),
  }
}

export function bounced(
  rule: string,
  category: BounceCategory,
  evidence: Evidence,
  timing: 'synchronous' | 'asynchronous',
  [reply, stage]: readonly [Reply, Stage | null],
): Classification {
  const message = bounceSentences[category]
  return {
    event: 'email.bounced',
    reason: category,
    rule,
    message,
    data: { bounce: { type: 'permanent', category, message, timing, evidence }, ...replyPart(reply, stage) },
  }
}

export function failed(
  rule: string,
  name: FailureName,
  [reply, stage]: readonly [Reply, Stage | null],
  { expired = false, retryable = false, blocklist = null, finalRecipient = null }: FailureDetails = {},
): Classification {
  const { category, reason, message, retryable: usually } = failureNamed(name)
  const scope = category === 'signing' ? 'message' : 'recipient'
  const failure = {
    category,
    reason,
    ...(stage !== null && { stage }),
    message,
    retryable: usually || retryable || expired,
    expired,
    ...(blocklist !== null && { blocklist }),
    ...(finalRecipient !== null && { final_recipient: finalRecipient }),
  }
  return {
    event: 'email.failed',
    reason,
    rule,
    message,
    data: { scope, failure, ...replyPart(reply, stage) },
  }
}

interface FailureDetails {
  readonly expired?: boolean
  readonly retryable?: boolean
  readonly blocklist?: string | null
  readonly finalRecipient?: string | null
}

export function unsubscribed(source: 'complaint' | 'api'): Classification {
  const rule = source === 'complaint' ? 'complaint' : 'unsubscribe'
  const message =
    source === 'complaint' ? 'The recipient reported the email as spam.' : 'The recipient unsubscribed.'
  const data = { unsubscribe: { source, scope: { type: 'all' as const } } }
  return { event: 'email.unsubscribed', reason: source, rule, message, data }
}

function replyPart({ code, enhanced, message }: Reply, stage: Stage | null): ReplyPart {
  if (code === null && enhanced === null && message === '') return {}
  const command = commandOf(stage)
  return {
    smtp_response: {
      code,
      enhanced_code: enhanced === null ? null : formatEnhancedCode(enhanced),
      message,
      ...(command !== null && { command }),
    },
  }
}
