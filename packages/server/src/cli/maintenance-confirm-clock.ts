import type { Command } from './command.ts'
import { operatorConnection, operatorNote, operatorOptions } from './connection.ts'
import { serviceClient } from './service-client.ts'
import { shardOption, shardQueryOf } from './shard-option.ts'

export const maintenanceConfirmClock: Command = {
  name: 'maintenance confirm-clock',
  summary: 'Confirm that the database clock is right',
  about: [
    'While the clock of the database is in doubt, Posthorn deletes no old data. The clock is in doubt after a jump, or',
    'if Posthorn has not run for days. The log and the System page say so. Check the clock of the database machine,',
    'correct it if it is wrong, and then run this command. Each shard has a clock of its own.',
    operatorNote,
  ].join('\n'),
  options: { ...shardOption, ...operatorOptions },
  examples: ['posthorn maintenance confirm-clock', 'posthorn maintenance confirm-clock --shard 1'],
  async run(input) {
    const confirmation = await serviceClient(operatorConnection(input)).confirmClock({
      query: shardQueryOf(input),
    })
    return {
      exitCode: 0,
      json: confirmation,
      text: `Confirmed: the time is ${confirmation.confirmed_at}. Maintenance continues within seconds.`,
    }
  },
}
