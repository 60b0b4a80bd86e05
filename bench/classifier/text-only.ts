import type { Classification } from '../../packages/server/src/domain/classify/classification.ts'
import { classify } from '../../packages/server/src/domain/classify/classify.ts'
import { readBounceText } from '../../packages/server/src/domain/bounce-text/read-bounce-text.ts'
import { domainOf } from '../../packages/server/src/domain/email-address.ts'
import { MailParser } from '../../packages/server/src/mail/mail-parser.ts'
import { readableText } from '../../packages/server/src/mail/readable-text.ts'
import { textSamples } from '../../packages/server/test/mail/text-samples.ts'
import { isDoubted, type LabelledRow, mailOf } from './labelled-set.ts'

export interface MeasuredTexts {
  readonly texts: number
  readonly precision: number
  readonly recall: number
  readonly wrong: readonly string[]
  readonly missed: readonly string[]
}

/** Reads the real messages again without their status fields, as a server that writes only text would have sent them. */
export async function measureTexts(labelled: readonly LabelledRow[]): Promise<MeasuredTexts> {
  const found: Judged[] = []
  for (const row of labelled) {
    // the fields that are left out decided the label, or the text is about several recipients
    const isOther =
      row.status?.startsWith('4') === true || labelled.filter(one => one.file === row.file).length > 1
    if (isOther || row.expect === 'ambiguous' || row.duplicate_of !== undefined || isDoubted(row)) continue
    const email = await new MailParser().parse(mailOf(row))
    if (email === null) continue
    const mail = {
      subject: email.subject ?? '',
      from: [email.from?.name, email.from?.address].join(' '),
      text: readableText(new Uint8Array(), { ...email, attachments: [] }),
    }
    const senders = (email.to ?? []).flatMap(({ address }) => address ?? [])
    found.push({ name: row.file, expect: row.expect, decided: classifyText(mail, row.recipient, senders) })
  }
  return measured(found)
}

/** Reads our own samples in the layouts and languages of many servers. */
export function measureSamples(): MeasuredTexts {
  return measured(
    textSamples.map(({ form, subject, from = 'mx.sender.example', text, expect }) => ({
      name: form,
      expect,
      decided: classifyText({ subject, from, text }, 'ann@example.org', []),
    })),
  )
}

interface Judged {
  readonly name: string
  readonly expect: string
  readonly decided: Classification | null
}

function classifyText(
  mail: Parameters<typeof readBounceText>[0],
  recipient: string,
  senders: readonly string[],
): Classification | null {
  const found = readBounceText(mail, recipient)
  if (found.kind !== 'refused') return null
  return classify({
    disposition: 'permanent',
    timing: 'asynchronous',
    recipient,
    recipientDomain: domainOf(recipient),
    senders,
    isForwarded: found.forwarded !== null,
    isInWords: true,
    ...(found.stage !== null && { stage: found.stage }),
    ...(found.statement !== null && { statement: found.statement }),
    reply: { text: found.text },
  })
}

function measured(found: readonly Judged[]): MeasuredTexts {
  const bounced = found.filter(({ decided }) => decided?.event === 'email.bounced')
  const wrong = bounced.filter(({ expect }) => expect !== 'email.bounced')
  const bounces = found.filter(({ expect }) => expect === 'email.bounced')
  const missed = bounces.filter(({ decided }) => decided?.event !== 'email.bounced')
  const line = ({ name, expect, decided }: Judged): string =>
    `${name}: labelled ${expect}, decided ${decided?.event ?? 'none'} (${decided?.rule ?? 'no report'})`
  return {
    texts: found.length,
    precision: (bounced.length - wrong.length) / bounced.length,
    recall: (bounces.length - missed.length) / bounces.length,
    wrong: wrong.map(line),
    missed: missed.map(line),
  }
}
