/** Fields of one group by their lower-case names; of a field that is there twice, the first. */
export type FieldGroup = ReadonlyMap<string, string>

const groupsMax = 200
const fieldsMax = 64
const valueLengthMax = 8_192
/** The next recipient's group, where the empty line before it was forgotten. */
const recipientFields = new Set(['final-recipient', 'original-recipient'])
/** The next line of a reply, where its indentation was forgotten. */
const replyLine = /^[245]\d\d[ -]/

/**
 * Takes the content of a `message/delivery-status` or `message/feedback-report` part apart: groups of header fields
 * with empty lines between them. What is no field is passed over, and whatever exceeds the bounds is cut off, because
 * anybody can send such a part.
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
      group.set(name, `${value}\n ${line.trim()}`.slice(0, valueLengthMax))
    } else {
      // the end of the part, when its closing line was damaged: what follows is the returned message
      if (line.startsWith('--')) break
      const reply = name === null ? undefined : group.get(name)
      if (name !== null && reply !== undefined && replyLine.test(line)) {
        group.set(name, `${reply}\n${line.trim()}`.slice(0, valueLengthMax))
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
      if (name !== null)
        group.set(
          name,
          line
            .slice(colon + 1)
            .trim()
            .slice(0, valueLengthMax),
        )
    }
  }
  if (group.size > 0) groups.push(group)
  return groups
}
