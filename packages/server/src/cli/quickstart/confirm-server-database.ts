import type { Client } from '@posthorn/client'
import { askYesOrNo } from '../ask.ts'
import { CommandError } from '../command-error.ts'

/**
 * Asks before it creates anything in a database that others may depend on.
 * @throws CommandError if the answer is no, or without a terminal
 */
export async function confirmServerDatabase(
  operator: Client,
  { hasDatabaseUrl, isConfirmed }: { hasDatabaseUrl: boolean; isConfirmed: boolean },
): Promise<void> {
  if (isConfirmed) return
  // the service may have a setting that this shell does not have
  const isServer = hasDatabaseUrl || (await operator.getSystem()).database.kind === 'postgresql'
  if (!isServer) return
  if (!process.stdin.isTTY) {
    throw new CommandError(
      'not_confirmed',
      'this service uses a PostgreSQL server, and there is no terminal to ask you: add --yes to create the account there',
    )
  }
  if (await askYesOrNo(question)) return
  throw new CommandError('not_confirmed', 'nothing was created')
}

const question = `This service uses a PostgreSQL server (DATABASE_URL). quickstart creates an account, an API key and
an endpoint in it, and lets Posthorn deliver that endpoint's events to one port of this machine. Continue? [y/N] `
