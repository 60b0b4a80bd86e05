import { calledAs } from '../called-as.ts'
import type { Command } from '../command.ts'
import { operatorConnection, operatorNote, operatorOptions } from '../connection.ts'
import { serviceClient } from '../service-client.ts'
import { table } from '../table.ts'

export const sourcesList: Command = {
  name: 'sources list',
  summary: 'List the mail providers that report for an account',
  about: `REFUSED counts requests without a valid signature. If it rises, check the key and the clock.\n${operatorNote}`,
  options: { account: { value: 'id', meaning: 'The account.' }, ...operatorOptions },
  examples: ['posthorn sources list --account acct_…', 'posthorn sources list --account acct_… --json'],
  async run(input) {
    const params = { id: input.required('account') }
    const sources = await Array.fromAsync(
      serviceClient(operatorConnection(input)).each('listProviderSources', { params, query: { limit: 250 } }),
    )
    const rows = sources.map(source => [
      source.id,
      source.kind,
      source.last_at ?? 'never',
      String(source.event_count),
      String(source.ignored_count),
      String(source.refused_count),
    ])
    return {
      exitCode: 0,
      json: sources,
      text:
        rows.length === 0
          ? `No sources yet. Create one with ${calledAs()} sources add.`
          : table([['ID', 'PROVIDER', 'LAST REPORT', 'EVENTS', 'IGNORED', 'REFUSED'], ...rows]),
    }
  },
}
