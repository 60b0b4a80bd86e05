import { calledAs } from '../called-as.ts'
import { settings } from '../../settings.ts'
import { settingPrefix } from '../setting-prefix.ts'
import { table } from '../table.ts'
import type { Quickstart } from './quickstart-file.ts'
import { receiverUrl } from './receiver-url.ts'

/** What exists after a quickstart, and commands to try. */
export function nextSteps(
  made: Quickstart,
  { url, dataDir, path }: { url: string; dataDir: string; path: string },
): string {
  const things = [
    ['Account', made.account_id],
    ['API key', 'quickstart, with the scopes read, send, ingest and keys'],
    ['Endpoint', `${made.webhook_id} for ${receiverUrl(made.port)}`],
    ['Saved in', `${path} (with the signing secret; only you can read it)`],
  ]
  const again = `${settingPrefix({ url, dataDir })}${calledAs()} quickstart`
  const exports = [
    ...(url === settings.POSTHORN_URL.unset ? [] : [`export POSTHORN_URL=${url}`]),
    `export POSTHORN_API_KEY=${made.api_key}`,
  ]
  return `
All four events arrived with valid signatures. You now have:

${indented(table(things))}

The receiver has stopped. Start it again in this terminal:

  ${again} --listen

Then try these commands in another terminal:

${indented(
  [
    ...exports,
    `${calledAs()} trigger ${made.webhook_id} email.bounced`,
    `${calledAs()} deliveries tail ${made.webhook_id}`,
    `curl ${url}/v1/outcomes -H "Authorization: Bearer $POSTHORN_API_KEY" -H 'Content-Type: application/json' \\`,
    `  -d '{"type":"email.delivered","data":{"email_id":"em_1","to":["you@example.com"]}}'`,
  ].join('\n'),
)}

The dashboard at ${url}/ shows every attempt. Sign in with the API key.
To delete everything: ${again} --remove`
}

function indented(text: string): string {
  return text
    .split('\n')
    .map(line => `  ${line}`)
    .join('\n')
}
