import type { FaultId } from '../../packages/server/test/faults/catalogue.ts'

/** The last stored result of one fault. */
export interface FaultResult {
  id: FaultId
  held: boolean
  /** The promises that were tested: one for each test of this fault. */
  promises: string[]
  /** The figures that the tests measured. */
  seen: string[]
  /** The day and the commit. */
  occasion: string
}
