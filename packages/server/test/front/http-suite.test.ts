import { runThroughFront } from './run-through-front.ts'

// http-suite.long.ts runs all tests of this kind
runThroughFront(1, [
  'server/test/http/cookies-and-csrf.test.ts',
  'server/test/http/customer-journey.test.ts',
  'server/test/http/idempotency.test.ts',
  'server/test/verbs/own-api-keys.test.ts',
])
runThroughFront(2, ['server/test/faults/tenant-matrix.test.ts'])
