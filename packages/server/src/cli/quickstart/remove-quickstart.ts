import { ApiProblem, type Client } from '@posthorn/client'
import type { Report } from '../command.ts'
import type { QuickstartFile } from './quickstart-file.ts'

/** Deletes the account with all that belongs to it, and then forgets it. */
export async function removeQuickstart(operator: Client, file: QuickstartFile): Promise<Report> {
  const made = file.read()
  if (made === null) {
    return { exitCode: 0, json: { removed: null }, text: 'There is nothing to remove.' }
  }
  const { account_id: id } = made
  try {
    await operator.deleteAccount({ params: { id } })
  } catch (error) {
    // somebody else has deleted it
    if (!(error instanceof ApiProblem && error.code === 'not_found')) throw error
  }
  file.remove()
  return {
    exitCode: 0,
    json: { removed: id },
    text: `Removed the account ${id} with its key and its endpoint. Posthorn deletes their data within a day.`,
  }
}
