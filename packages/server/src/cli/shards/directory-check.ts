import type { Command } from '../command.ts'
import { describeDisagreement, disagreementJson } from './describe-disagreement.ts'
import { type Examination, examineDirectory } from './examine-directory.ts'
import { type Shards, shardsNote, withShards } from './with-shards.ts'

export const directoryCheck: Command = {
  name: 'directory check',
  summary: 'Compare the directory with the accounts of each shard',
  about: [
    'Lists every account for which they disagree, and changes nothing. Exits with 1 if there is one. The service may run',
    'and create, move and delete accounts in the meantime.',
    shardsNote,
  ].join('\n'),
  examples: ['posthorn directory check', 'posthorn directory check --json'],
  async run() {
    const found = await withShards(examineTwice)
    const lines = [
      ...found.missingShards.map(number => `shard ${number} is not in the directory`),
      ...found.disagreements.map(describeDisagreement),
    ]
    const { version, placements, accounts, moving, leftovers } = found
    return {
      exitCode: lines.length === 0 ? 0 : 1,
      json: {
        version,
        placements,
        accounts,
        moving: moving.length,
        leftovers: leftovers.length,
        missing_shards: found.missingShards,
        disagreements: found.disagreements.map(disagreementJson),
      },
      text: [...lines, summaryOf(found)].join('\n'),
    }
  },
}

/** What disagrees only once has changed between two questions. */
async function examineTwice(shards: Shards): Promise<Examination> {
  const first = await examineDirectory(shards)
  if (first.disagreements.length === 0) return first
  const second = await examineDirectory(shards)
  const before = new Set(first.disagreements.map(found => JSON.stringify(found)))
  return { ...second, disagreements: second.disagreements.filter(found => before.has(JSON.stringify(found))) }
}

function summaryOf({ accounts, moving, leftovers, disagreements, missingShards }: Examination): string {
  const notes = [
    ...(moving.length > 0 ? [`${moving.length} of them are moving`] : []),
    ...(leftovers.length > 0 ? [`${leftovers.length} placements are left over from deleted accounts`] : []),
  ]
  const counts = [`The shards have ${accounts} accounts.`, ...notes.map(note => `${note}.`)].join(' ')
  if (disagreements.length + missingShards.length === 0)
    return `The directory agrees with the shards. ${counts}`
  return `${counts} posthorn directory rebuild corrects the directory.`
}
