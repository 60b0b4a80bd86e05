import type { Account } from '@posthorn/contract'
import { calledAs } from './called-as.ts'
import type { Command } from './command.ts'
import { operatorConnection, operatorNote, operatorOptions } from './connection.ts'
import { serviceClient } from './service-client.ts'
import { table } from './table.ts'

export const accountsList: Command = {
  name: 'accounts list',
  summary: 'List all accounts',
  about: `Newest first. ${operatorNote}`,
  options: operatorOptions,
  examples: ['posthorn accounts list', "posthorn accounts list --json | jq -r '.[].id'"],
  async run(input) {
    const client = serviceClient(operatorConnection(input))
    const accounts = await Array.fromAsync(client.each('listAccounts', { query: { limit: 250 } }))
    const rows = accounts.map(account => [
      account.id,
      account.name,
      `${account.endpoint_count} of ${account.max_endpoints}`,
      limitsOf(account),
      account.suspended_reason === null ? 'allowed' : `suspended (${account.suspended_reason})`,
      account.created_at,
    ])
    return {
      exitCode: 0,
      json: accounts,
      text:
        rows.length === 0
          ? `No accounts yet. Create one with ${calledAs()} accounts create.`
          : table([['ID', 'NAME', 'ENDPOINTS', 'MESSAGES', 'SENDING', 'CREATED'], ...rows]),
    }
  },
}

/** What the account has sent of its limits: `12 of 1000 this hour, 80 of 5000 today`. */
function limitsOf(account: Account): string {
  const { messages_per_hour: perHour, messages_per_day: perDay } = account
  const limits = [
    ...(perHour === null ? [] : [`${account.messages_this_hour} of ${perHour} this hour`]),
    ...(perDay === null ? [] : [`${account.messages_this_day} of ${perDay} today`]),
  ]
  return limits.length === 0 ? 'no limit' : limits.join(', ')
}
