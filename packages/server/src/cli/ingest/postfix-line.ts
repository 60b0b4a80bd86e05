/** The content of one line of Postfix's log that matters for outcomes. */
export type PostfixLine =
  /** A new mail got this queue id. An older mail may have had the same one. */
  | { readonly kind: 'begun'; readonly queueId: string }
  | { readonly kind: 'sender'; readonly queueId: string; readonly from: string }
  | { readonly kind: 'message_id'; readonly queueId: string; readonly messageId: string }
  /** A header that `header_checks` logs. */
  | { readonly kind: 'header'; readonly queueId: string; readonly name: string; readonly value: string }
  | ({ readonly kind: 'delivery'; readonly queueId: string } & PostfixDelivery)
  /** Postfix gave up. One line is about all recipients that are still waiting. */
  | { readonly kind: 'expired'; readonly queueId: string }
  | { readonly kind: 'removed'; readonly queueId: string; readonly byHand: boolean }

export interface PostfixDelivery {
  readonly recipient: string
  /** The address before aliases, if it differs. */
  readonly origTo: string | null
  /** `mx1.example.org[192.0.2.7]:25`; null for `none`. */
  readonly relay: string | null
  readonly dsn: string
  /** `sent`, `deferred`, `bounced`, `SOFTBOUNCE`, `deliverable`, `undeliverable`. */
  readonly status: string
  /** The text in parentheses: the reply, or Postfix's own message. */
  readonly reason: string
}

/** A line that looks like a delivery but cannot be parsed. */
export const unreadable = Symbol('unreadable')

/**
 * Parses the message of one line.
 *
 * Replies, addresses, headers and Message-IDs come from outside and may imitate log lines. So it parses the fields from left to
 * right in Postfix's order and never searches for a field.
 *
 * @param program the last part of the line's tag: `smtp`, `qmgr`; null if the line has no tag
 * @returns null if the line does not matter for outcomes
 */
export function readPostfixMessage(
  program: string | null,
  message: string,
): PostfixLine | typeof unreadable | null {
  const [, queueId, rest] = /^([0-9A-Za-z]{5,24}): ([^]*)$/.exec(message) ?? []
  if (queueId === undefined || rest === undefined) return null
  if (rest.startsWith('to=<')) return readDelivery(queueId, rest) ?? unreadable
  switch (program ?? likelyProgram(rest) ?? '') {
    case 'qmgr':
    case 'oqmgr':
    case 'nqmgr':
      return readQueueManager(queueId, rest)
    case 'cleanup':
      return readCleanup(queueId, rest)
    case 'smtpd':
    case 'qmqpd':
      return rest.startsWith('client=') ? { kind: 'begun', queueId } : null
    case 'pickup':
      return rest.startsWith('uid=') ? { kind: 'begun', queueId } : null
    case 'postsuper':
      return rest === 'removed' ? { kind: 'removed', queueId, byHand: true } : null
    default:
      return null
  }
}

/** Without a tag, the beginning of the text shows which program wrote it. */
function likelyProgram(rest: string): string | null {
  if (rest === 'removed' || rest.startsWith('from=<')) return 'qmgr'
  if (/^(?:message-id=|info: header )/.test(rest)) return 'cleanup'
  return rest.startsWith('client=') ? 'smtpd' : rest.startsWith('uid=') ? 'pickup' : null
}

/** A quoted local part may contain `>`, commas and text that looks like the next field. */
const address = '<((?:"(?:\\\\.|[^"\\\\])*"|[^"<>])*)>'
const deliveryPattern = new RegExp(
  `^to=${address}, (?:orig_to=${address}, )?relay=([^,]{1,400}), ` +
    '(?:(?:conn_use|delay|delays|tls)=[^,]{0,200}, ){0,6}' +
    'dsn=(\\d\\.\\d{1,3}\\.\\d{1,3}), status=([A-Za-z-]{1,20})(?: \\(([^]*))?$',
)
const senderPattern = new RegExp(`^from=${address}, ([^]*)$`)

function readDelivery(queueId: string, rest: string): PostfixLine | null {
  const found = deliveryPattern.exec(rest)
  if (found === null) return null
  const [, recipient = '', origTo, relay = '', dsn = '', status = '', reason = ''] = found
  return {
    kind: 'delivery',
    queueId,
    recipient,
    origTo: origTo ?? null,
    relay: relay === 'none' ? null : relay,
    dsn,
    status,
    // the closing parenthesis is missing if the line was too long
    reason: reason.replace(/\)$/, ''),
  }
}

function readQueueManager(queueId: string, rest: string): PostfixLine | null {
  if (rest === 'removed') return { kind: 'removed', queueId, byHand: false }
  const [, from, more = ''] = senderPattern.exec(rest) ?? []
  if (from === undefined) return null
  if (/^status=(?:force-)?expired\b/.test(more)) return { kind: 'expired', queueId }
  return { kind: 'sender', queueId, from }
}

function readCleanup(queueId: string, rest: string): PostfixLine | null {
  const messageId = /^message-id=<?([^<>\s]{1,998})>?$/.exec(rest)?.[1]
  if (messageId !== undefined) return { kind: 'message_id', queueId, messageId }
  // `info: header X-Email-ID: a1 from mail.example.org[192.0.2.1]; from=<…> to=<…> …`
  const [, name, value] = /^info: header ([!-9;-~]{1,128}): (\S{1,255}) from /.exec(rest) ?? []
  if (name === undefined || value === undefined) return null
  return { kind: 'header', queueId, name: name.toLowerCase(), value }
}
