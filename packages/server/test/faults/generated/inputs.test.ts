import { inputFaults } from './input-faults.ts'

inputFaults(2)
