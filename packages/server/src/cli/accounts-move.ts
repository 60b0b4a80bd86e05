import { accountOperand } from './account-operand.ts'
import { readMoveSettings } from '../config.ts'
import { parseTypeId } from '../domain/type-id.ts'
import type { Move } from '../moves/moved-account.ts'
import type { Command, Report } from './command.ts'
import { CommandError, UsageError } from './command-error.ts'
import type { CommandInput } from './command-input.ts'
import { describeFailure } from './describe-failure.ts'
import { pause } from './pause.ts'
import { printError } from './print.ts'
import { progressBar } from './progress-bar.ts'

export const accountsMove: Command = {
  name: 'accounts move',
  summary: 'Move an account to another shard',
  about: [
    'The account stays in use while PostgreSQL copies its data. Then it stands still for a moment, and continues on',
    'the other shard with everything: keys, history, queue and sequence numbers. If you stop the command, run it again: it',
    'continues where it stopped. Needs POSTHORN_SHARD_DATABASES and POSTHORN_MASTER_KEYS, and roles that may create',
    'publications and subscriptions. The PostgreSQL of the other shard must reach that of this one under the same URL. See',
    'docs/run/move-accounts.md.',
  ].join('\n'),
  operands: [accountOperand],
  options: {
    to: { value: 'shard', meaning: 'The number of the other shard.' },
    'dry-run': { meaning: 'Only check whether the account can be moved, and say how much there is to copy.' },
    cancel: { meaning: 'Undo a move that has not reached the other shard, and delete the copy.' },
  },
  examples: [
    'posthorn accounts move acct_… --to 1 --dry-run',
    'posthorn accounts move acct_… --to 1',
    'posthorn accounts move acct_… --cancel --json',
  ],
  async run(input) {
    const accountId = parseTypeId('acct', input.operand('account'))
    if (accountId === null) throw new UsageError('<account> must be an account id (acct_…)')
    if (input.flag('cancel') && input.flag('dry-run')) {
      throw new UsageError('--cancel has no dry run: leave out one of the two')
    }
    const to = targetOf(input)
    try {
      return await withMove(accountId, to, async (move, settings) => {
        if (input.flag('cancel')) return await cancel(input, move)
        return input.flag('dry-run')
          ? await plan(input, move, settings)
          : await carryOut(input, move, settings)
      })
    } catch (error) {
      throw new CommandError('move_failed', describeFailure(error), { cause: error })
    }
  },
}

/** Null with --cancel: the move says itself where it goes. */
function targetOf(input: CommandInput): number | null {
  if (input.flag('cancel') && input.text('to') === undefined) return null
  const to = input.required('to')
  if (!/^\d{1,3}$/.test(to)) throw new UsageError('--to must be the number of a shard, 0 to 999')
  return Number(to)
}

type Settings = ReturnType<typeof readMoveSettings>

async function withMove(
  accountId: string,
  to: number | null,
  work: (move: Move, settings: Settings) => Promise<Report>,
): Promise<Report> {
  const settings = readMoveSettings()
  // imported here because the driver is slow to load
  const [{ openShards }, { findMove }] = await Promise.all([
    import('../moves/open-shards.ts'),
    import('../moves/find-move.ts'),
  ])
  await using opened = await openShards(settings.shardDatabases)
  const wait = async (ms: number): Promise<void> => await pause(ms, new AbortController().signal)
  return await work(await findMove(opened.shards, accountId, to, wait), settings)
}

function namesOf(input: CommandInput, { source, target }: Move) {
  return { account: input.operand('account'), from: source.number, to: target.number }
}

async function plan(input: CommandInput, move: Move, settings: Settings): Promise<Report> {
  const [{ checkMove }, { estimateRows }] = await Promise.all([
    import('../moves/check-move.ts'),
    import('../moves/copy-progress.ts'),
  ])
  await checkMove(move, settings.masterKeys)
  const estimates = await estimateRows(move)
  const rows = [...estimates.values()].reduce((sum, one) => sum + one, 0)
  return {
    exitCode: 0,
    json: { ...namesOf(input, move), rows, tables: Object.fromEntries(estimates), moved: false },
    text: `The account can be moved from shard ${move.source.number} to shard ${move.target.number}. About ${rows} rows are to be copied.`,
  }
}

async function carryOut(input: CommandInput, move: Move, settings: Settings): Promise<Report> {
  const [{ checkMove }, { moveAccount }] = await Promise.all([
    import('../moves/check-move.ts'),
    import('../moves/move-account.ts'),
  ])
  await checkMove(move, settings.masterKeys)
  const isQuiet = input.flag('json')
  const bar = isQuiet ? null : progressBar(process.stderr, ' rows (estimated)')
  const { stoodStillMs } = await moveAccount(move, {
    retry: { baseSeconds: settings.retryBaseSeconds, capSeconds: settings.retryCapSeconds },
    nowMs: () => Date.now(),
    onProgress: ({ rows, rowsInAll, isComplete }) => {
      bar?.show(rows, rowsInAll)
      if (isComplete) bar?.end()
    },
    onStep: step => {
      if (!isQuiet) printError(`${step} …`)
    },
  })
  const stood = stoodStillMs === null ? '' : ` It stood still for ${(stoodStillMs / 1_000).toFixed(1)} s.`
  return {
    exitCode: 0,
    json: { ...namesOf(input, move), moved: true, stood_still_ms: stoodStillMs },
    text: `Moved ${input.operand('account')} from shard ${move.source.number} to shard ${move.target.number}.${stood}`,
  }
}

async function cancel(input: CommandInput, move: Move): Promise<Report> {
  const { cancelMove } = await import('../moves/cancel-move.ts')
  await cancelMove(move)
  return {
    exitCode: 0,
    json: { ...namesOf(input, move), moved: false, cancelled: true },
    text: `Undid the move. The account stays on shard ${move.source.number}.`,
  }
}
