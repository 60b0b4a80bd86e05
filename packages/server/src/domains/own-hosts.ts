import type { SendingDomainUpdate } from '@posthorn/contract'
import { asHostName, checkHostName } from '../domain/host-name.ts'
import { isPublished, type OperatorHosts } from '../domain/domain-records.ts'
import { AppError } from '../errors.ts'

/** The names below a domain that its mail uses; null for those of the operator. */
export interface OwnHosts {
  readonly returnPathDomain: string | null
  readonly linkHost: string | null
}

/**
 * The names after a change, in lower case and as A-labels.
 * @throws AppError `validation_failed` if a new name is not below the domain, or the operator has none to point it to
 */
export function changedOwnHosts(
  domainName: string,
  before: OwnHosts,
  { return_path_domain: returnPath, link_host: link }: SendingDomainUpdate,
  operator: OperatorHosts,
): OwnHosts {
  const after = {
    returnPathDomain: changed('return_path_domain', domainName, before.returnPathDomain, returnPath),
    linkHost: changed('link_host', domainName, before.linkHost, link),
  }
  if (isNew(after.returnPathDomain, before.returnPathDomain) && operator.returnPath === null)
    throw refused('return_path_domain', 'The operator must set POSTHORN_RETURN_PATH_DOMAIN first.')
  if (isNew(after.linkHost, before.linkHost) && !isPublished(operator.publicHost))
    throw refused('link_host', 'The operator must set POSTHORN_PUBLIC_URL to a host in public DNS first.')
  if (after.linkHost !== null && after.linkHost === after.returnPathDomain)
    throw refused(
      'link_host',
      'must differ from return_path_domain, because a name can have only one CNAME record.',
    )
  return after
}

function changed(
  field: keyof SendingDomainUpdate,
  domainName: string,
  before: string | null,
  input: string | null | undefined,
): string | null {
  if (input === undefined || input === null) return input === null ? null : before
  const name = asHostName(input)
  const fault = checkHostName(name, false) ?? tooLong(field, name)
  if (fault !== null) throw refused(field, `must be a domain name. ${fault}`)
  if (!name.endsWith(`.${domainName}`))
    throw refused(field, `must be a name below ${domainName}, such as ${labels[field]}.${domainName}.`)
  return name
}

/** The A-labels of an international name are longer than what was entered. */
function tooLong(field: keyof SendingDomainUpdate, name: string): string | null {
  if (field !== 'return_path_domain' || name.length <= returnPathLengthMax) return null
  return `It has ${name.length} characters as A-labels; at most ${returnPathLengthMax} are allowed.`
}

/** A return path with its token may have 254 characters. */
const returnPathLengthMax = 180

const labels = { return_path_domain: 'bounces', link_host: 'links' } as const

function isNew(after: string | null, before: string | null): boolean {
  return after !== null && after !== before
}

function refused(field: keyof SendingDomainUpdate, message: string): AppError {
  return new AppError('validation_failed', `${field}: ${message}`, [{ path: `/${field}`, message }])
}
