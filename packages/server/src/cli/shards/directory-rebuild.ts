import { type Correction, correctionOf } from '../../domain/compare-directory.ts'
import { typeId } from '../../domain/type-id.ts'
import { askShard, ShardRefusal } from '../../shards/ask-shard.ts'
import { newVersion, shardState } from '../../shards/internal-api.ts'
import type { Command } from '../command.ts'
import { CommandError } from '../command-error.ts'
import { describeDisagreement } from './describe-disagreement.ts'
import { type Examination, examineDirectory } from './examine-directory.ts'
import { type Shards, shardsNote, withShards } from './with-shards.ts'

export const directoryRebuild: Command = {
  name: 'directory rebuild',
  summary: 'Correct the directory from the accounts of each shard',
  about: [
    'Use it after shard 0 was restored from a backup, or when posthorn directory check finds a disagreement. All shards',
    'must answer. It changes nothing if an account is on two shards: delete one of the copies first. It also changes',
    'nothing while an account is moving: finish or cancel the move first. You can stop it at any time and run it again.',
    shardsNote,
  ].join('\n'),
  options: { 'dry-run': { meaning: 'Show what would change.' } },
  examples: ['posthorn directory rebuild --dry-run', 'posthorn directory rebuild'],
  async run(input) {
    const isDryRun = input.flag('dry-run')
    const plan = await withShards(async shards => await rebuild(shards, isDryRun))
    const lines = [
      ...plan.shards.map(number => `shard ${number} is added`),
      ...plan.corrections.map(describeCorrection),
    ]
    const summary =
      lines.length === 0
        ? 'The directory agrees with the shards: nothing to change.'
        : `${isDryRun ? 'This would make' : 'Made'} ${lines.length} changes.`
    return {
      exitCode: 0,
      json: {
        dry_run: isDryRun,
        added_shards: plan.shards,
        changes: plan.corrections.map(({ account_id, shard }) => ({
          account_id: typeId('acct', account_id),
          shard,
        })),
      },
      text: [...lines, summary].join('\n'),
    }
  },
}

interface Plan {
  readonly shards: readonly number[]
  readonly corrections: readonly Correction[]
}

/** How often it starts again when accounts are created or moved meanwhile. */
const triesMax = 5

async function rebuild(shards: Shards, isDryRun: boolean): Promise<Plan> {
  for (let tries = 1; ; tries++) {
    const found = await examineDirectory(shards)
    const plan = planOf(found)
    if (isDryRun) return plan
    try {
      await apply(shards, found.version, plan)
      return plan
    } catch (error) {
      if (!(error instanceof ShardRefusal) || error.code !== 'directory_changed' || tries === triesMax)
        throw error
    }
  }
}

/** @throws CommandError if a person must decide first */
function planOf({ disagreements, leftovers, moving, missingShards }: Examination): Plan {
  const undecided = disagreements.filter(found => correctionOf(found) === null)
  if (undecided.length > 0) {
    const list = undecided.map(describeDisagreement).join('; ')
    throw new CommandError(
      'undecided',
      `the directory cannot be rebuilt: ${list}. Delete one of the two first`,
    )
  }
  const [first] = moving
  if (first !== undefined) {
    throw new CommandError(
      'account_moving',
      `${typeId('acct', first)} is moving: finish or cancel the move first`,
    )
  }
  const corrections = disagreements.flatMap(found => correctionOf(found) ?? [])
  const removals = leftovers.map(account_id => ({ account_id, shard: null }))
  // removals first, because a removed account may have the code of a new one
  return {
    shards: missingShards,
    corrections: [...removals, ...corrections].toSorted(
      (a, b) => Number(a.shard !== null) - Number(b.shard !== null),
    ),
  }
}

const changesMax = 5_000

/** Each step leaves the directory closer to the shards, so it may stop after any. */
async function apply({ zero }: Shards, readVersion: number, { shards, corrections }: Plan): Promise<void> {
  let version = readVersion
  for (let at = 0; at < corrections.length; at += changesMax) {
    const body = { version, changes: corrections.slice(at, at + changesMax) }
    const answer = await askShard(zero, { method: 'POST', path: '/directory', body }, newVersion)
    version = answer.version
  }
  for (const number of shards) {
    const body = { number, state: 'open' }
    await askShard(zero, { method: 'POST', path: '/shards', body }, shardState)
  }
}

function describeCorrection({ account_id, shard }: Correction): string {
  const account = typeId('acct', account_id)
  return shard === null ? `${account} is removed` : `${account} is placed on shard ${shard}`
}
