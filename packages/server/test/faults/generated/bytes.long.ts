import { byteFaults } from './byte-faults.ts'

byteFaults(700_000)
