import { httpSuite } from './http-suite.ts'
import { runThroughFront } from './run-through-front.ts'

runThroughFront(1, httpSuite)
