import { cutText } from '../domain/cut-text.ts'

/** The fields of one group by lower-case name. If a field occurs twice, the first one counts. */
export type FieldGroup = ReadonlyMap<string, string>

const groupsMax = 200
const fieldsMax = 64
const valueLengthMax = 8_192
/** A repeated one begins the next recipient's group if the empty line is missing. */
const recipientFields = new Set(['final-recipient', 'original-recipient'])
/** A further line of a reply that lacks its indentation. */
const replyLine = /^[245]\d\d[ -]/

/**
 * Parses the content of a `message/delivery-status` or `message/feedback-report` part: groups of header fields with empty
 * lines between them. It skips other lines and limits every size, because anyone can send such a part.
 */
export function readFieldGroups(content: string): FieldGroup[] {
  const groups: FieldGroup[] = []
  let group = new Map<string, string>()
  let name: string | null = null
  for (const line of content.split(/\r\n|\r|\n/)) {
    if (line.trim() === '') {
      if (group.size > 0) groups.push(group)
      if (groups.length >= groupsMax) return groups
      group = new Map()
      name = null
    } else if (/^[ \t]/.test(line)) {
      const value = name === null ? undefined : group.get(name)
      if (name === null || value === undefined || value.length >= valueLengthMax) continue
      group.set(name, cutText(`${value}\n ${line.trim()}`, valueLengthMax))
    } else {
      // the part ends here, even if the boundary is damaged; the returned message follows
      if (line.startsWith('--')) break
      const reply = name === null ? undefined : group.get(name)
      if (name !== null && reply !== undefined && replyLine.test(line)) {
        group.set(name, cutText(`${reply}\n${line.trim()}`, valueLengthMax))
        continue
      }
      const colon = line.indexOf(':')
      const found = line.slice(0, Math.max(0, colon)).trim().toLowerCase()
      if (recipientFields.has(found) && group.has(found)) {
        groups.push(group)
        if (groups.length >= groupsMax) return groups
        group = new Map()
      }
      name = /^[a-z0-9-]{1,64}$/.test(found) && !group.has(found) && group.size < fieldsMax ? found : null
      if (name !== null) group.set(name, cutText(line.slice(colon + 1).trim(), valueLengthMax))
    }
  }
  if (group.size > 0) groups.push(group)
  return groups
}
