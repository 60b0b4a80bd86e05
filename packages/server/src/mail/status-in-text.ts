import { ownLines } from '../domain/bounce-text/own-text.ts'
import { readDeliveryStatus } from './delivery-status.ts'
import type { DeliveryReport } from './read-report.ts'

/** The status fields in the text of a mail, which some servers write there. Null if they do not describe a recipient. */
export function readStatusInText(text: string): DeliveryReport | null {
  const lines = ownLines(text)
  const first = lines.findIndex(line => statusField.test(line))
  if (first < 0) return null
  const [, indent = ''] = statusField.exec(lines[first] ?? '') ?? []
  const fields = lines.slice(first).map(line => (line.startsWith(indent) ? line.slice(indent.length) : line))
  const status = readDeliveryStatus(fields.join('\n'))
  return status.recipients.length === 0 ? null : { ...status, text: lines.slice(0, first).join('\n') }
}

const statusField =
  /^([ \t>|]{0,12})(?:reporting-mta|original-recipient|final-recipient|action|status|remote-mta|diagnostic-code) ?:/i
