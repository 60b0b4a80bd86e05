import type { FaultId } from '../../packages/server/test/faults/catalogue.ts'

/** The last result of one fault, as it is kept. */
export interface FaultResult {
  id: FaultId
  held: boolean
  /** What held, or did not: one for each test of this fault. */
  promises: string[]
  /** What was counted. */
  seen: string[]
  /** Day and commit. */
  occasion: string
}
