import { describeExample } from '../receiver-suite.ts'
import { POST } from './app/hooks/route.ts'
import { processed } from './processed.ts'

// Next.js calls the exported function with a Request, and so does this test; Next.js itself is not started.
describeExample('Next.js', async secret => {
  process.env['POSTHORN_SECRET'] = secret
  return { processed, send: POST }
})
