import { calledAs } from './called-as.ts'
import { resolve } from 'node:path'
import type { Config } from '../config.ts'
import { settingPrefix } from './setting-prefix.ts'

/** The greeting after the first start. It says where secrets are, but never contains one. */
export function firstSteps(
  service: { readonly url: string; readonly adminTokenPath: string | null },
  { dataDir }: Pick<Config, 'dataDir'>,
): string {
  const token =
    service.adminTokenPath === null ? 'in POSTHORN_ADMIN_TOKEN' : `in ${resolve(service.adminTokenPath)}`
  return `
Posthorn is running at ${service.url}

  Dashboard       ${service.url}/ (sign in with an API key or the operator token)
  API reference   ${service.url}/docs
  Data            ${resolve(dataDir)}
  Operator token  ${token}
                  (commands on this machine find it automatically)
  Commands        ${calledAs()} --help
  Stop            Ctrl-C

To see your first signed events, run this in another terminal, in this folder:

  ${service.adminTokenPath === null ? 'POSTHORN_ADMIN_TOKEN=<token> ' : ''}${settingPrefix({ url: service.url, dataDir })}${calledAs()} quickstart
`
}
