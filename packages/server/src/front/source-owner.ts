import { accountCode } from '../domain/account-code.ts'
import { readMailToken } from '../domain/mail-token.ts'
import { tokensOf } from '../sources/judge-foreign.ts'
import type { SourceReport } from '../sources/source-report.ts'

/**
 * The code of the account that a report of a mail server may belong to; null if there is none. Its shard verifies the token.
 * The first token of an account that exists counts, because a report may repeat others.
 */
export function sourceOwner(report: SourceReport, exists: (code: number) => boolean): number | null {
  const codes = codesIn([...tokensOf(report), ...(report.unsubscribeTokens ?? [])])
  if (codes.length > 0) return codes.find(exists) ?? codes[0] ?? null
  return report.foreign === null ? null : accountCode(report.foreign.accountId)
}

/** The account codes in tokens, each once. They are not verified. */
export function codesIn(tokens: readonly string[]): number[] {
  const codes = tokens.flatMap(text => readMailToken(text.split('.')[0] ?? '')?.token.keyNumber ?? [])
  return [...new Set(codes)]
}
