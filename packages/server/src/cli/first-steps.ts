import { resolve } from 'node:path'
import type { Config } from '../config.ts'
import { settings } from '../settings.ts'

/** What somebody who has just started Posthorn for the first time does next. Names where secrets lie, never one. */
export function firstSteps(
  service: { readonly url: string; readonly adminTokenPath: string | null },
  config: Pick<Config, 'dataDir'>,
): string {
  const token =
    service.adminTokenPath === null
      ? 'in POSTHORN_ADMIN_TOKEN, as you set it'
      : `in ${resolve(service.adminTokenPath)}, made just now`
  const exports = [
    ...(service.url === settings.POSTHORN_URL.unset ? [] : [`export POSTHORN_URL=${service.url}`]),
    ...(config.dataDir === settings.POSTHORN_DATA_DIR.unset
      ? []
      : [`export POSTHORN_DATA_DIR=${resolve(config.dataDir)}`]),
  ]
  return `
Posthorn is running at ${service.url}

  Dashboard         ${service.url}/ (sign in with an API key, or with the operator's token)
  API reference     ${service.url}/docs
  Data              ${resolve(config.dataDir)}
  Operator's token  ${token}
                    (the commands below find it themselves)

First steps, in another terminal:

${[
  ...exports,
  'npx posthorn accounts create --name Acme',
  'npx posthorn keys create --account <its id> --name first --scopes read,send,ingest',
  'export POSTHORN_API_KEY=<the key that it shows>',
  'npx posthorn endpoints create https://hooks.example.com/mail',
]
  .map(line => `  ${line}`)
  .join('\n')}

npx posthorn --help lists all commands; Ctrl-C stops the service in order.
`
}
