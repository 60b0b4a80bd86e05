import { besideHangingEndpoints } from './hanging-endpoints.ts'

besideHangingEndpoints(1_000)
