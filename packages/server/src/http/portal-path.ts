import { parseTypeId } from '../domain/type-id.ts'

/** The id of the portal link in the path of its page, as a UUID, or null. */
export function portalLinkIn(path: string): string | null {
  return parseTypeId('pses', /^\/portal\/([^/]+)$/.exec(path)?.[1] ?? '')
}
