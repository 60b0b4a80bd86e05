import { requestFaults } from './request-faults.ts'

requestFaults(60_000)
