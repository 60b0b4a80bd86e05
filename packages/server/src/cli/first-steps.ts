import { calledAs } from './called-as.ts'
import { resolve } from 'node:path'
import type { Config } from '../config.ts'
import { settingPrefix } from './setting-prefix.ts'

/** What somebody who has just started Posthorn for the first time does next. Names where secrets lie, never one. */
export function firstSteps(
  service: { readonly url: string; readonly adminTokenPath: string | null },
  { dataDir }: Pick<Config, 'dataDir'>,
): string {
  const token =
    service.adminTokenPath === null
      ? 'in POSTHORN_ADMIN_TOKEN, as you set it'
      : `in ${resolve(service.adminTokenPath)}, made just now`
  return `
Posthorn is running at ${service.url}

  Dashboard         ${service.url}/ (sign in with an API key, or with the operator's token)
  API reference     ${service.url}/docs
  Data              ${resolve(dataDir)}
  Operator's token  ${token}
                    (commands on this machine find it themselves)
  Commands          ${calledAs()} --help lists them
  Stop              Ctrl-C

See your first signed events. In another terminal, in this folder, run:

  ${service.adminTokenPath === null ? 'POSTHORN_ADMIN_TOKEN=<it> ' : ''}${settingPrefix({ url: service.url, dataDir })}${calledAs()} quickstart
`
}
