import { requestFaults } from './request-faults.ts'

requestFaults(1_000)
