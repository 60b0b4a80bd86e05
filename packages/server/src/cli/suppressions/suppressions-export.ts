import { pipeline } from 'node:stream/promises'
import { routes } from '@posthorn/contract'
import type { Command } from '../command.ts'
import { customerConnection, customerOptions } from '../connection.ts'
import { rawRequest } from '../raw-request.ts'
import { refuseExisting, saveDownload } from '../save-download.ts'

export const suppressionsExport: Command = {
  name: 'suppressions export',
  summary: 'Export the suppressed addresses as CSV',
  about: [
    'Writes all active suppressions, oldest first, with the columns address, reason, scope, list, created_at and',
    'lapses_at. It leaves out suppressions without an address, which an erasure has removed. Needs an API key with the',
    'scope read.',
  ].join('\n'),
  operands: [
    { name: 'file', meaning: 'The file to write. It must not exist yet. - writes to standard output.' },
  ],
  options: customerOptions,
  examples: [
    'posthorn suppressions export suppressions.csv',
    'posthorn suppressions export - | cut -d , -f 1',
  ],
  async run(input) {
    const path = input.operand('file')
    if (path !== '-') refuseExisting(path)
    const { body } = await rawRequest(customerConnection(input), routes.exportSuppressions)
    if (path === '-') {
      await pipeline(body ?? [], process.stdout, { end: false })
      return { exitCode: 0 }
    }
    await saveDownload(path, body ?? [], 'export_failed')
    return { exitCode: 0, json: { file: path }, text: `Wrote ${path}.` }
  },
}
