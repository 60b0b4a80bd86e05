import { answerFaults } from './answer-faults.ts'
import { strayByteFaults } from './stray-byte-faults.ts'

answerFaults(1_000)
strayByteFaults(10)
