import { byteFaults } from './byte-faults.ts'

byteFaults(4_000)
