import { answerFaults } from './answer-faults.ts'
import { strayByteFaults } from './stray-byte-faults.ts'

answerFaults(100_000)
strayByteFaults(300)
