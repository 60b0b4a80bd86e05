import { resolve } from 'node:path'
import { settings } from '../settings.ts'

/** The variables to set before a command so that it finds this service and its data; empty with the defaults. */
export function settingPrefix(service: { readonly url: string; readonly dataDir: string }): string {
  const { POSTHORN_URL, POSTHORN_DATA_DIR } = settings
  return [
    ...(service.url === POSTHORN_URL.unset ? [] : [`POSTHORN_URL=${quoted(service.url)} `]),
    ...(service.dataDir === POSTHORN_DATA_DIR.unset
      ? []
      : [`POSTHORN_DATA_DIR=${quoted(resolve(service.dataDir))} `]),
  ].join('')
}

function quoted(text: string): string {
  return /^[\w./:[\]-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
