import { describeExample } from '../receiver-suite.ts'
import { start } from './start.ts'

describeExample('Hono', start)
