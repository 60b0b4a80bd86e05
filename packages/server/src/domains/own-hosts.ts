import type { SendingDomainUpdate } from '@posthorn/contract'
import { checkHostName } from '../domain/host-name.ts'
import { isPublished, type OperatorHosts } from '../domain/domain-records.ts'
import { AppError } from '../errors.ts'

/** The names below a domain that its mail uses; null for those of the operator. */
export interface OwnHosts {
  readonly returnPathDomain: string | null
  readonly linkHost: string | null
}

/**
 * The names after a change, in lower case.
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
  const name = input.trim().replace(/\.$/, '').toLowerCase()
  const fault = checkHostName(name, false)
  if (fault !== null) throw refused(field, `must be a domain name. ${fault}`)
  if (!name.endsWith(`.${domainName}`))
    throw refused(field, `must be a name below ${domainName}, such as ${labels[field]}.${domainName}.`)
  return name
}

const labels = { return_path_domain: 'bounces', link_host: 'links' } as const

function isNew(after: string | null, before: string | null): boolean {
  return after !== null && after !== before
}

function refused(field: keyof SendingDomainUpdate, message: string): AppError {
  return new AppError('validation_failed', `${field}: ${message}`, [{ path: `/${field}`, message }])
}
