import type { Command } from './command.ts'
import { operatorConnection, operatorNote, operatorOptions } from './connection.ts'
import { serviceClient } from './service-client.ts'

export const maintenanceConfirmClock: Command = {
  name: 'maintenance confirm-clock',
  summary: 'Confirm that the database’s clock is right',
  about: [
    'Posthorn deletes nothing by age while the clock of the database is in doubt: after a jump, or when nothing has',
    'run for days. The log and the System page say so. Look at the clock of the machine that the database runs on, set',
    `it if it is wrong, and then run this command. ${operatorNote}`,
  ].join('\n'),
  options: operatorOptions,
  examples: ['posthorn maintenance confirm-clock', 'posthorn maintenance confirm-clock --json'],
  async run(input) {
    const confirmation = await serviceClient(operatorConnection(input)).confirmClock({})
    return {
      exitCode: 0,
      json: confirmation,
      text: `Confirmed: it is ${confirmation.confirmed_at}. Maintenance goes on within seconds.`,
    }
  },
}
