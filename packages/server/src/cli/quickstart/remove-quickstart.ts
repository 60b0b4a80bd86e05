import { ApiProblem, type Client } from '@posthorn/client'
import type { Report } from '../command.ts'
import type { QuickstartFile } from './quickstart-file.ts'

/** Deletes the account with everything in it, and then the file. */
export async function removeQuickstart(operator: Client, file: QuickstartFile): Promise<Report> {
  const made = file.read()
  if (made === null) {
    return { exitCode: 0, json: { removed: null }, text: 'There is nothing to remove.' }
  }
  file.checkWritable()
  const { account_id: id } = made
  try {
    await operator.deleteAccount({ params: { id } })
  } catch (error) {
    // someone else has deleted it
    if (!(error instanceof ApiProblem && error.code === 'not_found')) throw error
  }
  file.remove()
  return {
    exitCode: 0,
    json: { removed: id },
    text: `Deleted the account ${id} with its API key and its endpoint. Posthorn deletes their data within a day.`,
  }
}
